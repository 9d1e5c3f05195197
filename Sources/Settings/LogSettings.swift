package import Logging

/// The settings of what is logged, and how.
package struct LogSettings: Equatable, Sendable {
    package var level: Logger.Level = .info
    package var format: LogFormat = .json

    package init() {}
}

/// The form in which log lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case json
    /// Text for a person.
    case text
}
