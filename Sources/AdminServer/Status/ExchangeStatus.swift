import Bytes
package import FoundationEssentials

/// The end of a token exchange.
package struct ExchangeStatus: Equatable, Sendable, Decodable {
    package enum Result: String, Sendable, Decodable {
        case succeeded
        case failed
    }

    package var time: Date
    /// One of a bounded set of labels (`refresh`), that of the last request; nil where none was begun.
    package var kind: String?
    package var result: Result
    /// One of a bounded set of labels (`exchange_login_refused`); nil: it did not fail.
    package var reason: String?
    /// Sentences for a person: what failed, what the provider said, and what to do.
    package var detail: String?

    package init(
        time: Date,
        kind: String? = nil,
        result: Result,
        reason: String? = nil,
        detail: String? = nil
    ) {
        self.time = time
        self.kind = kind
        self.result = result
        self.reason = reason
        self.detail = detail
    }

    var json: JSONText {
        .object([
            ("time", .time(time)), ("kind", .string(kind)), ("result", .string(result.rawValue)),
            ("reason", .string(reason)), ("detail", .string(detail)),
        ])
    }
}
