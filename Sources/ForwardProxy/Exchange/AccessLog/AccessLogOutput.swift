package import Logging

/// The destination of the access log, and the form of its lines.
package struct AccessLogOutput: Sendable {
    package var sink: LogSink
    package var style: LogStyle
    /// The level of the log, which tells whether more than a line is said of each request. Lines are written at info.
    package var level: Logger.Level
    /// Indicates whether lines have the query of the request, without what may be secret in it.
    package var includesQuery: Bool

    package init(sink: LogSink, style: LogStyle = .json, level: Logger.Level = .info, includesQuery: Bool = false) {
        self.sink = sink
        self.style = style
        self.level = level
        self.includesQuery = includesQuery
    }
}
