extension TokenLifecycle {
    enum State: Sendable {
        case missing
        case exchanging(Exchange, waiters: [Waiter])
        case present(Issued)
        case backingOff(Exchange, ExchangeFailure, until: UInt64)
    }

    /// The purpose for which an exchange is run.
    struct Exchange: Sendable {
        /// The token that went before; nil: there was none.
        var replaced: Issued?
        /// Indicates whether it is run because that token was refused.
        var followsRefusal = false
        /// Indicates whether that token is in use until the exchange brings another, or until it expires.
        var keepsToken = false

        /// The token that is in use meanwhile.
        func token(now: UInt64) -> Issued? {
            guard keepsToken, let replaced, !replaced.hasExpired(now: now) else { return nil }
            return replaced
        }

        /// Returns whether its token has to prove itself before it is trusted like the first one: the provider has
        /// refused one just now, and may refuse this one for the same reason.
        func bringsReplacement(now: UInt64) -> Bool {
            followsRefusal || replaced.map { $0.isReplacement && !$0.hasServed(now: now) } ?? false
        }
    }

    /// A token in use.
    struct Issued: Sendable {
        var token: AccountToken
        /// Nil: by an earlier run of the process.
        var obtainedAt: UInt64?
        /// Indicates whether it was exchanged because the one before was refused.
        var isReplacement = false
        /// The time at which a new one is asked for; nil: not before this one is refused.
        var refreshAt: UInt64?
        var expiresAt: UInt64?
        /// Set when it was refused at once, or could not be refreshed: no exchange before this time.
        var exchangeableFrom: UInt64?
        /// The reason why it could not be refreshed.
        var failure: ExchangeFailure?

        func hasExpired(now: UInt64) -> Bool {
            expiresAt.map { now >= $0 } ?? false
        }

        /// Returns whether it lasted long enough, since it was obtained or last in doubt, for its refusal to be news
        /// and not the same trouble as before.
        func hasServed(now: UInt64) -> Bool {
            guard let start = exchangeableFrom ?? obtainedAt else { return true }
            return now >= start && now - start >= Backoff.longest
        }
    }

    /// The action of a request that needs the token.
    package enum RequestAction: Sendable, Equatable {
        case use(AccountToken, generation: UInt64)
        /// The token still works and is due for refreshing: use it, run the exchange and report its end. Nobody waits.
        case useAndStartExchange(AccountToken, generation: UInt64)
        /// The waiter will be handed back when the exchange that runs has ended.
        case wait
        /// Run the exchange and report its end; the waiter waits for it like the others.
        case startExchange
        /// The last exchange failed and it is too soon for another; `retryAfter` is set.
        case fail(ExchangeFailure)
        case tooManyWaiters
    }

    /// The action of a request whose token the provider refused.
    package enum RefusalAction: Sendable, Equatable {
        /// Another request has seen to it: repeat with this one.
        case use(AccountToken, generation: UInt64)
        /// The waiter will be handed back when the exchange that runs has ended.
        case wait
        /// Run the exchange and report its end; the waiter, where one was given, waits for it.
        case startExchange
        /// Nothing can be done now: the provider's own answer is the client's.
        case passAnswerOn
    }
}
