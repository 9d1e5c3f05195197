/// The life of one account's exchanged token, as a value: events in, actions out. Whoever owns it serializes the
/// events, runs the exchange when told to, and wakes the waiters it is handed back.
///
/// 1. A request asks with ``request(now:waiter:mayWait:)``. When there is a token it is used.
/// 2. When there is none, or it has expired, the first to ask starts the exchange and all wait for it: one exchange,
///    whatever the number.
/// 3. When it is due for refreshing, the first to ask starts the exchange, and all go on with the token that there is.
/// 4. The exchange ends with ``exchangeSucceeded(with:now:refreshAt:expiresAt:)`` or ``exchangeFailed(_:now:)``: all
///    waiters are woken, with the token or with the failure. After a failure the provider is left alone for a while,
///    twice as long each time, and who asks meanwhile gets the failure at once, or the token if that still works.
/// 5. When the provider refuses a token that it issued, ``refused(generation:now:waiter:mayWait:)``: the first to say
///    so of this generation starts one exchange; all others wait for it, or use what it brought.
/// 6. A token that came of such an exchange and is refused at once as well is not exchanged again before a pause. It
///    stays in use meanwhile, so that one resource which the token may not reach does not cost the account its others.
///
/// Times are monotonic, in nanoseconds from any fixed origin.
package struct TokenLifecycle<Waiter: Hashable & Sendable>: Sendable {
    private var state: State
    private let waiterLimit: Int
    /// Counts the tokens, so that the refusal of an old one is told from the refusal of the present one.
    private var generation: UInt64
    /// Failures in a row, of the exchange or of the token that it brought.
    private var failures = 0

    /// - Parameters:
    ///   - token: The token that the vault held, if any; it becomes the generation that follows.
    ///   - generation: The highest that was used before.
    ///   - refreshAt: The time at which a new token should be asked for; nil: not before it expires or is refused.
    ///   - expiresAt: The time at which the token is over; nil: not known.
    ///   - waiterLimit: The number of requests that may wait for an exchange at once (`limits.exchange_waiters`); the
    ///     one that starts it is among them, and always may.
    package init(
        token: AccountToken?,
        generation: UInt64 = 0,
        refreshAt: UInt64? = nil,
        expiresAt: UInt64? = nil,
        waiterLimit: Int
    ) {
        self.waiterLimit = waiterLimit
        if let token {
            self.generation = generation + 1
            state = .present(Issued(token: token, refreshAt: refreshAt, expiresAt: expiresAt))
        } else {
            self.generation = generation
            state = .missing
        }
    }

    /// The token in use and its generation.
    package var current: (token: AccountToken, generation: UInt64)? {
        inUse.map { ($0.token, generation) }
    }

    /// The time at which the present token is to be asked for anew: to be refreshed, or because it is over. Until then
    /// it can be used without asking.
    package var refreshAt: UInt64? {
        [inUse?.refreshAt, inUse?.expiresAt].compactMap { $0 }.min()
    }

    /// The token that the exchange which runs is to replace, expired, refused or due for refreshing; nil: there was
    /// none.
    package var replaced: AccountToken? {
        guard case .exchanging(let exchange, _) = state else { return nil }
        return exchange.replaced?.token
    }

    /// The token that is in use, or that an exchange is to replace, also one that has failed.
    package var known: AccountToken? {
        switch state {
        case .missing: nil
        case .present(let issued): issued.token
        case .exchanging(let exchange, _), .backingOff(let exchange, _, _): exchange.replaced?.token
        }
    }

    /// Indicates whether no exchange runs, and no failure is remembered that keeps from running one.
    package var isIdle: Bool {
        switch state {
        case .missing, .present: true
        case .exchanging, .backingOff: false
        }
    }

    package var isExchanging: Bool {
        if case .exchanging = state { true } else { false }
    }

    /// The requests that wait for the exchange that runs, in the order they came.
    package var waiters: [Waiter] {
        guard case .exchanging(_, let waiters) = state else { return [] }
        return waiters
    }

    /// The failure that requests get at this time.
    package func failure(now: UInt64) -> ExchangeFailure? {
        let (failure, until): (ExchangeFailure?, UInt64?) =
            switch state {
            case .backingOff(_, let failure, let until): (failure, until)
            case .present(let issued) where issued.hasExpired(now: now): (issued.failure, issued.exchangeableFrom)
            case .present, .missing, .exchanging: (nil, nil)
            }
        guard var failure, let until, now < until else { return nil }
        failure.retryAfter = Int((until - now + Backoff.second - 1) / Backoff.second)
        return failure
    }

    private var inUse: Issued? {
        switch state {
        case .present(let issued): issued
        case .exchanging(let exchange, _): exchange.keepsToken ? exchange.replaced : nil
        case .missing, .backingOff: nil
        }
    }
}

// MARK: - Events

extension TokenLifecycle {
    /// A request needs the token. A waiter waits at most once at a time.
    /// - Parameter mayWait: Whether it may wait for an exchange that another one has started, if there is room.
    package mutating func request(now: UInt64, waiter: Waiter, mayWait: Bool = true) -> RequestAction {
        switch state {
        case .present(let issued):
            if issued.hasExpired(now: now) {
                if let failure = failure(now: now) { return .fail(failure) }
                state = .exchanging(ExchangePurpose(replaced: issued), waiters: [waiter])
                return .startExchange
            }
            guard let refreshAt = issued.refreshAt, now >= refreshAt else {
                return .use(issued.token, generation: generation)
            }
            state = .exchanging(ExchangePurpose(replaced: issued, keepsToken: true), waiters: [])
            return .useAndStartExchange(issued.token, generation: generation)
        case .exchanging(let exchange, _):
            if let issued = exchange.token(now: now) { return .use(issued.token, generation: generation) }
            return mayWait && enqueue(waiter) ? .wait : .tooManyWaiters
        case .missing:
            state = .exchanging(ExchangePurpose(), waiters: [waiter])
            return .startExchange
        case .backingOff(let exchange, _, _):
            if let failure = failure(now: now) { return .fail(failure) }
            state = .exchanging(exchange, waiters: [waiter])
            return .startExchange
        }
    }

    /// The exchange brought a token, which is in use from now on.
    /// - Parameters:
    ///   - refreshAt: The time at which a new one should be asked for; nil: not before it expires or is refused. The
    ///     caller chooses it with some jitter, so that not all tokens are refreshed at once.
    ///   - expiresAt: The time at which it is over; nil: not known.
    /// - Returns: Who is to be woken, in the order they came; nobody when no exchange was running.
    package mutating func exchangeSucceeded(
        with token: AccountToken,
        now: UInt64,
        refreshAt: UInt64? = nil,
        expiresAt: UInt64? = nil
    ) -> [Waiter] {
        guard case .exchanging(let exchange, let waiters) = state else { return [] }
        let isReplacement = exchange.bringsReplacement(now: now)
        // What a replacement brought has yet to serve before the failures are forgotten.
        if !isReplacement { failures = 0 }
        generation += 1
        state = .present(
            Issued(
                token: token,
                obtainedAt: now,
                isReplacement: isReplacement,
                refreshAt: refreshAt,
                expiresAt: expiresAt
            )
        )
        return waiters
    }

    /// The exchange brought nothing. Returns who is to be answered with the failure, in the order they came; nobody
    /// when no exchange was running.
    package mutating func exchangeFailed(_ failure: ExchangeFailure, now: UInt64) -> [Waiter] {
        guard case .exchanging(let exchange, let waiters) = state else { return [] }
        failures += 1
        let until = now + Backoff.delay(afterFailures: failures)
        if var issued = exchange.token(now: now) {
            issued.refreshAt = until
            issued.exchangeableFrom = until
            issued.failure = failure
            state = .present(issued)
        } else {
            state = .backingOff(exchange, failure, until: until)
        }
        return waiters
    }

    /// The provider refused the token of a generation.
    /// - Parameters:
    ///   - waiter: The one that would repeat its request with another token; nil when it cannot.
    ///   - mayWait: Whether it may wait for an exchange that another one has started, if there is room.
    package mutating func refused(
        generation refused: UInt64,
        now: UInt64,
        waiter: Waiter?,
        mayWait: Bool = true
    ) -> RefusalAction {
        switch state {
        case .missing:
            return .passAnswerOn
        case .backingOff(let exchange, _, let until):
            // Whoever holds the refused token still does not ask before using it: this is how it is learnt of.
            guard now >= until else { return .passAnswerOn }
            state = .exchanging(exchange, waiters: waiter.map { [$0] } ?? [])
            return .startExchange
        case .exchanging(let exchange, _):
            guard let waiter else { return .passAnswerOn }
            if refused < generation, let issued = exchange.token(now: now) {
                return .use(issued.token, generation: generation)
            }
            return mayWait && enqueue(waiter) ? .wait : .passAnswerOn
        case .present(let issued):
            if issued.hasExpired(now: now) {
                // Which is reason enough for its refusal.
                guard failure(now: now) == nil else { return .passAnswerOn }
                state = .exchanging(ExchangePurpose(replaced: issued), waiters: waiter.map { [$0] } ?? [])
                return .startExchange
            }
            guard refused >= generation else {
                return waiter == nil ? .passAnswerOn : .use(issued.token, generation: generation)
            }
            return exchangeRefused(issued, now: now, waiter: waiter)
        }
    }

    private mutating func exchangeRefused(_ issued: Issued, now: UInt64, waiter: Waiter?) -> RefusalAction {
        var issued = issued
        if issued.hasServed(now: now) {
            failures = 0
        } else if issued.isReplacement, issued.exchangeableFrom == nil {
            failures += 1
            issued.exchangeableFrom = now + Backoff.delay(afterFailures: failures)
            state = .present(issued)
        }
        if let earliest = issued.exchangeableFrom, now < earliest { return .passAnswerOn }
        let exchange = ExchangePurpose(replaced: issued, followsRefusal: true)
        state = .exchanging(exchange, waiters: waiter.map { [$0] } ?? [])
        return .startExchange
    }

    /// A waiter went away. Returns whether it was waiting. The exchange goes on: its token serves the next request.
    @discardableResult
    package mutating func cancelled(_ waiter: Waiter) -> Bool {
        guard case .exchanging(let exchange, var waiters) = state, let index = waiters.firstIndex(of: waiter) else {
            return false
        }
        waiters.remove(at: index)
        state = .exchanging(exchange, waiters: waiters)
        return true
    }

    private mutating func enqueue(_ waiter: Waiter) -> Bool {
        guard case .exchanging(let exchange, var waiters) = state, waiters.count < waiterLimit else { return false }
        state = .missing  // lets go of the array, so that it is appended to in place
        waiters.append(waiter)
        state = .exchanging(exchange, waiters: waiters)
        return true
    }
}

extension TokenLifecycle {
    private enum State: Sendable {
        case missing
        case exchanging(ExchangePurpose, waiters: [Waiter])
        case present(Issued)
        case backingOff(ExchangePurpose, ExchangeFailure, until: UInt64)
    }

    /// The purpose for which an exchange is run.
    private struct ExchangePurpose: Sendable {
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
    private struct Issued: Sendable {
        var token: AccountToken
        /// The time at which it was obtained; nil when that was in an earlier run of the process.
        var obtainedAt: UInt64?
        /// Indicates whether it was exchanged because the one before was refused.
        var isReplacement = false
        /// The time at which a new one is asked for; nil: not before this one is refused.
        var refreshAt: UInt64?
        var expiresAt: UInt64?
        /// The time before which there is no exchange, because it was refused at once or could not be refreshed.
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
        /// No remedy is left: the provider's own answer is the client's.
        case passAnswerOn
    }
}
