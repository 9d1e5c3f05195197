/// The settings of what is logged, and how.
package struct LogSettings: Hashable, Sendable {
    /// The names of swift-log's levels.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// One JSON object a line.
        case json
        case text
    }

    package var level: Level = .info
    package var format: Format = .json

    package init() {}
}
