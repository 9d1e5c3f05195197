extension TokenLifecycle {
    enum State: Sendable {
        case missing
        /// `replaced` is the token that was refused or is over.
        case exchanging(waiters: [Waiter], replaced: AccountToken?, isReplacement: Bool)
        case present(Issued)
        /// The token is in use for as long as it lasts; who comes later waits.
        case refreshing(Issued, waiters: [Waiter])
        case backingOff(ExchangeFailure, until: UInt64, replaced: AccountToken?, isReplacement: Bool)
    }

    /// A token in use.
    struct Issued: Sendable {
        var token: AccountToken
        /// Nil: by an earlier run of the process.
        var obtainedAt: UInt64?
        /// Whether it was exchanged because the one before was refused.
        var isReplacement: Bool
        /// Set when it was refused at once: no exchange before this time.
        var exchangeableFrom: UInt64?
        /// When a new one is asked for ahead of its end.
        var refreshAt: UInt64?
        var expiresAt: UInt64?

        func isOver(now: UInt64) -> Bool { expiresAt.map { now >= $0 } ?? false }

        /// Whether it lasted long enough, since it was obtained or last in doubt, for its refusal to be news and not the
        /// same trouble as before.
        func hasServed(now: UInt64) -> Bool {
            guard let start = exchangeableFrom ?? obtainedAt else { return true }
            return now >= start && now - start >= Backoff.longest
        }
    }
}
