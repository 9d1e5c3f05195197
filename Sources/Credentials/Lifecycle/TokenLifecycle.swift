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
/// 6. A token that will expire is refreshed ahead of that: the first request after `refreshAt` starts the exchange, and
///    all go on with the old token until the new one is there, or the old one is over.
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
    ///   - token: what the vault held, if anything; it becomes the generation after `generation`.
    ///   - generation: of an earlier life of the account, so that a refusal of its token is not taken for one of this.
    ///   - waiterLimit: how many requests may wait for an exchange at once (`limits.exchange_waiters`); the one that
    ///     starts it is among them, and always may.
    package init(token: AccountToken?, generation: UInt64 = 0, waiterLimit: Int) {
        self.waiterLimit = waiterLimit
        if let token {
            self.generation = generation + 1
            state = .present(Issued(token: token, obtainedAt: nil, isReplacement: false))
        } else {
            self.generation = generation
            state = .missing
        }
    }

    /// The token in use and its generation.
    package var current: (token: AccountToken, generation: UInt64)? {
        issued.map { ($0.token, generation) }
    }

    /// When the token in use is to be replaced ahead of its end; nil: not before it is refused.
    package var refreshAt: UInt64? { issued?.refreshAt }

    /// The token that the exchange which runs, or is to be tried again, is to replace: what the vault holds is of no use
    /// when it is this.
    package var replaced: AccountToken? {
        switch state {
        case .exchanging(_, let replaced, _), .backingOff(_, _, let replaced, _): replaced
        case .refreshing(let issued, _): issued.token
        case .missing, .present: nil
        }
    }

    /// Whether nothing runs and nobody waits, so that it may be forgotten.
    package var isIdle: Bool {
        switch state {
        case .missing, .present: true
        case .exchanging, .refreshing, .backingOff: false
        }
    }

    private var issued: Issued? {
        switch state {
        case .present(let issued), .refreshing(let issued, _): issued
        case .missing, .exchanging, .backingOff: nil
        }
    }

    /// How many requests wait for the exchange that runs.
    package var waiterCount: Int {
        switch state {
        case .exchanging(let waiters, _, _), .refreshing(_, let waiters): waiters.count
        case .missing, .present, .backingOff: 0
        }
    }

    /// The failure that requests get at this time.
    package func failure(now: UInt64) -> ExchangeFailure? {
        guard case .backingOff(var failure, let until, _, _) = state, now < until else { return nil }
        failure.retryAfter = Int((until - now + Backoff.second - 1) / Backoff.second)
        return failure
    }
}

// MARK: - Events

extension TokenLifecycle {
    /// A request needs the token. A waiter waits at most once at a time.
    package mutating func request(now: UInt64, waiter: Waiter) -> RequestAction {
        switch state {
        case .present(let issued) where issued.isOver(now: now):
            state = .exchanging(waiters: [waiter], replaced: issued.token, isReplacement: false)
            return .startExchange
        case .present(let issued):
            guard let refreshAt = issued.refreshAt, now >= refreshAt else {
                return .use(issued.token, generation: generation)
            }
            state = .refreshing(issued, waiters: [])
            return .useAndStartExchange(issued.token, generation: generation)
        case .refreshing(let issued, _) where !issued.isOver(now: now):
            return .use(issued.token, generation: generation)
        case .exchanging, .refreshing:
            return enqueue(waiter) ? .wait : .tooManyWaiters
        case .missing:
            state = .exchanging(waiters: [waiter], replaced: nil, isReplacement: false)
            return .startExchange
        case .backingOff(_, _, let replaced, let isReplacement):
            if let failure = failure(now: now) { return .fail(failure) }
            state = .exchanging(waiters: [waiter], replaced: replaced, isReplacement: isReplacement)
            return .startExchange
        }
    }

    /// The exchange brought a token, which is in use from now on. Returns who is to be woken, in the order they came;
    /// nobody when no exchange was running.
    /// - Parameters:
    ///   - refreshAt: when a new token is to be had ahead of this one's end; nil: not before it is refused.
    ///   - expiresAt: when it is over; nil: it is not known to end.
    package mutating func exchangeSucceeded(
        with token: AccountToken,
        now: UInt64,
        refreshAt: UInt64? = nil,
        expiresAt: UInt64? = nil
    ) -> [Waiter] {
        let waiters: [Waiter]
        var isReplacement = false
        switch state {
        case .exchanging(let waiting, _, let replaces):
            waiters = waiting
            isReplacement = replaces
        case .refreshing(_, let waiting): waiters = waiting
        case .missing, .present, .backingOff: return []
        }
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
    /// when no exchange was running. A token that was to be refreshed stays in use for as long as it lasts.
    package mutating func exchangeFailed(_ failure: ExchangeFailure, now: UInt64) -> [Waiter] {
        switch state {
        case .exchanging(let waiters, let replaced, let isReplacement):
            failures += 1
            let until = now + Backoff.delay(afterFailures: failures)
            state = .backingOff(failure, until: until, replaced: replaced, isReplacement: isReplacement)
            return waiters
        case .refreshing(var issued, let waiters):
            failures += 1
            let until = now + Backoff.delay(afterFailures: failures)
            issued.refreshAt = until
            state =
                issued.isOver(now: now)
                ? .backingOff(failure, until: until, replaced: issued.token, isReplacement: false) : .present(issued)
            return waiters
        case .missing, .present, .backingOff: return []
        }
    }

    /// The provider refused the token of a generation.
    /// - Parameter waiter: who would repeat its request with another token; nil when it cannot.
    package mutating func refused(generation refused: UInt64, now: UInt64, waiter: Waiter?) -> RefusalAction {
        switch state {
        case .missing, .backingOff:
            return .passAnswerOn
        case .exchanging, .refreshing:
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
            state = .exchanging(waiters: waiter.map { [$0] } ?? [], replaced: issued.token, isReplacement: true)
            return .startExchange
        }
    }

    /// A waiter went away. Returns whether it was waiting. The exchange goes on: its token serves the next request.
    @discardableResult
    package mutating func cancelled(_ waiter: Waiter) -> Bool {
        var wasWaiting = false
        changeWaiters { waiters in
            guard let index = waiters.firstIndex(of: waiter) else { return }
            waiters.remove(at: index)
            wasWaiting = true
        }
        return wasWaiting
    }

    private mutating func enqueue(_ waiter: Waiter) -> Bool {
        guard waiterCount < waiterLimit else { return false }
        changeWaiters { $0.append(waiter) }
        return true
    }

    private mutating func changeWaiters(_ change: (inout [Waiter]) -> Void) {
        let before = state
        state = .missing  // lets go of the array, so that it is changed in place
        switch consume before {
        case .exchanging(var waiters, let replaced, let isReplacement):
            change(&waiters)
            state = .exchanging(waiters: waiters, replaced: replaced, isReplacement: isReplacement)
        case .refreshing(let issued, var waiters):
            change(&waiters)
            state = .refreshing(issued, waiters: waiters)
        case let other: state = other
        }
    }
}
