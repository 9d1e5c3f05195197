/// The form in which log lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case json
    /// Text for a person.
    case text
}
