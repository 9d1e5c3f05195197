/// How log lines are written.
package enum AccessLogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case json
    /// For a person.
    case text
}
