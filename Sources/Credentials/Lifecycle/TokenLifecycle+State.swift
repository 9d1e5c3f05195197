extension TokenLifecycle {
    enum State: Sendable {
        case missing
        case exchanging(waiters: [Waiter], isReplacement: Bool)
        case present(Issued)
        case backingOff(ExchangeFailure, until: UInt64, isReplacement: Bool)
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

        /// Whether it lasted long enough, since it was obtained or last in doubt, for its refusal to be news and not the
        /// same trouble as before.
        func hasServed(now: UInt64) -> Bool {
            guard let start = exchangeableFrom ?? obtainedAt else { return true }
            return now >= start && now - start >= Backoff.longest
        }
    }
}
