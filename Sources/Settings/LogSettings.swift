package import Logging

/// The settings of what is logged, how, and where to.
package struct LogSettings: Equatable, Sendable {
    package var level: Logger.Level = .info
    /// The format of the lines; nil for text where the log goes to a terminal, and JSON everywhere else.
    package var format: LogFormat?
    /// Indicates whether the lines of the access log have the query of the request, without what may be secret in it.
    package var includesQuery = false
    /// The file that lines go to; nil: standard error.
    package var file: String?

    package init() {}
}

/// The form in which log lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case json
    /// Text for a person.
    case text
}
