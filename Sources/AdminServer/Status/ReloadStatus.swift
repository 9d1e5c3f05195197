import Bytes
package import FoundationEssentials

/// The last reload of the configuration, and its result.
package struct ReloadStatus: Equatable, Sendable, Decodable {
    package enum Result: String, Sendable, Decodable {
        case applied
        /// Everything goes on by the configuration before.
        case refused
    }

    package var time: Date
    package var result: Result
    /// The reason why it was refused; nil: it was not.
    package var reason: String?
    /// `FILE:LINE:COLUMN: message` each; empty where the file is good, and something else is not.
    package var mistakes: [String]

    package init(time: Date, result: Result, reason: String? = nil, mistakes: [String] = []) {
        self.time = time
        self.result = result
        self.reason = reason
        self.mistakes = mistakes
    }

    var json: JSONText {
        .object([
            ("time", .time(time)), ("result", .string(result.rawValue)), ("reason", .string(reason)),
            ("mistakes", .strings(mistakes)),
        ])
    }
}
