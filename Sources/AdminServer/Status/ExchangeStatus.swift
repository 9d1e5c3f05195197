import Bytes
package import FoundationEssentials

/// The end of a token exchange.
package struct ExchangeStatus: Equatable, Sendable, Decodable {
    package enum Result: String, Sendable, Decodable {
        case succeeded
        case failed
    }

    package var time: Date
    package var result: Result
    /// One of a bounded set of labels (`exchange_login_refused`); nil: it did not fail.
    package var reason: String?
    /// Sentences for a person: what failed, what the provider said, and what to do.
    package var detail: String?

    package init(time: Date, result: Result, reason: String? = nil, detail: String? = nil) {
        self.time = time
        self.result = result
        self.reason = reason
        self.detail = detail
    }

    var json: JSONText {
        .object([
            ("time", .time(time)), ("result", .string(result.rawValue)), ("reason", .string(reason)),
            ("detail", .string(detail)),
        ])
    }
}
