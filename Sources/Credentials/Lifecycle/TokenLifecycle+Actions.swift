extension TokenLifecycle {
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
