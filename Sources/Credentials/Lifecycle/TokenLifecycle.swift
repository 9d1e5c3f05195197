/// The life of one account's exchanged token, as a value: events in, actions out. Whoever owns it serializes the
/// events, runs the exchange when told to, and wakes the waiters it is handed back.
///
/// 1. A request asks with ``request(now:waiter:)``. When there is a token it is used.
/// 2. When there is none, the first to ask starts the exchange and all wait for it: one exchange, whatever the number.
/// 3. The exchange ends with ``exchangeSucceeded(with:now:)`` or ``exchangeFailed(_:now:)``: all waiters are woken, with
///    the token or with the failure. After a failure the provider is left alone for a while, twice as long each time,
///    and who asks meanwhile gets the failure at once.
/// 4. When the provider refuses a token that it issued, ``refused(generation:now:waiter:)``: the first to say so of this
///    generation starts one exchange; all others wait for it, or use what it brought.
/// 5. A token that came of such an exchange and is refused at once as well is not exchanged again before a pause. It
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
    ///   - token: what the vault held, if anything; it becomes generation 1.
    ///   - waiterLimit: how many requests may wait for an exchange at once (`limits.exchange_waiters`); the one that
    ///     starts it is among them, and always may.
    package init(token: AccountToken?, waiterLimit: Int) {
        self.waiterLimit = waiterLimit
        if let token {
            generation = 1
            state = .present(Issued(token: token, obtainedAt: nil, isReplacement: false, exchangeableFrom: nil))
        } else {
            generation = 0
            state = .missing
        }
    }

    /// The token in use and its generation.
    package var current: (token: AccountToken, generation: UInt64)? {
        guard case .present(let issued) = state else { return nil }
        return (issued.token, generation)
    }

    /// How many requests wait for the exchange that runs.
    package var waiterCount: Int {
        guard case .exchanging(let waiters, _) = state else { return 0 }
        return waiters.count
    }

    /// The failure that requests get at this time.
    package func failure(now: UInt64) -> ExchangeFailure? {
        guard case .backingOff(var failure, let until, _) = state, now < until else { return nil }
        failure.retryAfter = Int((until - now + Backoff.second - 1) / Backoff.second)
        return failure
    }
}

// MARK: - Events

extension TokenLifecycle {
    /// A request needs the token. A waiter waits at most once at a time.
    package mutating func request(now: UInt64, waiter: Waiter) -> RequestAction {
        switch state {
        case .present(let issued):
            return .use(issued.token, generation: generation)
        case .exchanging:
            return enqueue(waiter) ? .wait : .tooManyWaiters
        case .missing:
            state = .exchanging(waiters: [waiter], isReplacement: false)
            return .startExchange
        case .backingOff(_, _, let isReplacement):
            if let failure = failure(now: now) { return .fail(failure) }
            state = .exchanging(waiters: [waiter], isReplacement: isReplacement)
            return .startExchange
        }
    }

    /// The exchange brought a token, which is in use from now on. Returns who is to be woken, in the order they came;
    /// nobody when no exchange was running.
    package mutating func exchangeSucceeded(with token: AccountToken, now: UInt64) -> [Waiter] {
        guard case .exchanging(let waiters, let isReplacement) = state else { return [] }
        // What a replacement brought has yet to serve before the failures are forgotten.
        if !isReplacement { failures = 0 }
        generation += 1
        state = .present(
            Issued(token: token, obtainedAt: now, isReplacement: isReplacement, exchangeableFrom: nil)
        )
        return waiters
    }

    /// The exchange brought nothing. Returns who is to be answered with the failure, in the order they came; nobody
    /// when no exchange was running.
    package mutating func exchangeFailed(_ failure: ExchangeFailure, now: UInt64) -> [Waiter] {
        guard case .exchanging(let waiters, let isReplacement) = state else { return [] }
        failures += 1
        state = .backingOff(failure, until: now + Backoff.delay(afterFailures: failures), isReplacement: isReplacement)
        return waiters
    }

    /// The provider refused the token of a generation.
    /// - Parameter waiter: who would repeat its request with another token; nil when it cannot.
    package mutating func refused(generation refused: UInt64, now: UInt64, waiter: Waiter?) -> RefusalAction {
        switch state {
        case .missing, .backingOff:
            return .passAnswerOn
        case .exchanging:
            guard let waiter, enqueue(waiter) else { return .passAnswerOn }
            return .wait
        case .present(var issued):
            guard refused >= generation else {
                return waiter == nil ? .passAnswerOn : .use(issued.token, generation: generation)
            }
            if issued.hasServed(now: now) {
                failures = 0
            } else if issued.isReplacement, issued.exchangeableFrom == nil {
                failures += 1
                issued.exchangeableFrom = now + Backoff.delay(afterFailures: failures)
                state = .present(issued)
            }
            if let earliest = issued.exchangeableFrom, now < earliest { return .passAnswerOn }
            state = .exchanging(waiters: waiter.map { [$0] } ?? [], isReplacement: true)
            return .startExchange
        }
    }

    /// A waiter went away. Returns whether it was waiting. The exchange goes on: its token serves the next request.
    @discardableResult
    package mutating func cancelled(_ waiter: Waiter) -> Bool {
        guard case .exchanging(var waiters, let isReplacement) = state,
            let index = waiters.firstIndex(of: waiter)
        else { return false }
        waiters.remove(at: index)
        state = .exchanging(waiters: waiters, isReplacement: isReplacement)
        return true
    }

    private mutating func enqueue(_ waiter: Waiter) -> Bool {
        guard case .exchanging(var waiters, let isReplacement) = state, waiters.count < waiterLimit else {
            return false
        }
        state = .missing  // lets go of the array, so that it is appended to in place
        waiters.append(waiter)
        state = .exchanging(waiters: waiters, isReplacement: isReplacement)
        return true
    }
}
