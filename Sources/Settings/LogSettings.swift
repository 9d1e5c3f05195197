package import Logging

/// The settings of what is logged, and how.
package struct LogSettings: Equatable, Sendable {
    package var level: Logger.Level = .info
    package var format: LogFormat = .json

    package init() {}
}
