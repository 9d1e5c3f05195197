/// The token that the proxy uses for an account at the moment, without the token itself.
package struct TokenUse: Equatable, Sendable {
    /// Indicates whether there is one.
    package var hasToken: Bool
    /// The time at which it expires, in whole seconds since 1970-01-01T00:00:00Z; nil when it is not known to.
    package var expiresAt: UInt64?
    /// The number of requests that wait for an exchange.
    package var waiting: Int
    /// The clients whose requests these are, as they came; the first few of them.
    package var waiters: [WaitingClient]

    package init(hasToken: Bool, expiresAt: UInt64? = nil, waiting: Int = 0, waiters: [WaitingClient] = []) {
        self.hasToken = hasToken
        self.expiresAt = expiresAt
        self.waiting = waiting
        self.waiters = waiters
    }
}
