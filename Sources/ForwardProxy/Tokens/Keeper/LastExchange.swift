package import Credentials

/// The end of the last token exchange of an account.
package struct LastExchange: Equatable, Sendable {
    /// Whole seconds since 1970-01-01T00:00:00Z, by this machine's clock.
    package var time: Int64
    /// The kind of the exchange; nil when it failed before a request of any kind was begun.
    package var kind: ExchangeKind?
    /// The failure; nil when it brought a token.
    package var failure: ExchangeFailure?

    package init(time: Int64, kind: ExchangeKind? = nil, failure: ExchangeFailure? = nil) {
        self.time = time
        self.kind = kind
        self.failure = failure
    }
}
