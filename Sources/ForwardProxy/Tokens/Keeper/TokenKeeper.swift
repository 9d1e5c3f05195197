import Bytes
import Credentials
import Logging
import NIOCore
import Synchronization

/// Keeps the tokens of all accounts that are not written in the configuration, for all event loops: asks
/// ``TokenLifecycle`` what to do, runs the exchanges, stores what they bring, and reads from the vault what others put
/// there.
///
/// Asked only for a token that an event loop does not hold yet, that is due for refreshing, or that was refused.
final class TokenKeeper: Sendable {
    /// The wait of a request for an exchange.
    struct Wait {
        let promise: EventLoopPromise<ObtainedToken>
        let client: TokenClient
        /// The time of the request, in whole seconds since 1970-01-01T00:00:00Z.
        let since: Int64
    }

    /// The answer to a request that needs a token.
    enum Answer {
        case token(ObtainedToken)
        /// An exchange runs, perhaps one that another request has begun. Fails with ``Problem``. The waiter is for
        /// ``cancel(_:of:)``.
        case pending(EventLoopFuture<ObtainedToken>, waiter: UInt64, wasUnderWay: Bool)
        case problem(Problem)
        /// The provider's own answer is the client's: no other token can be had now.
        case passAnswerOn
    }

    /// An exchange to be run.
    struct Job: Sendable {
        let reference: AccountReference
        let account: AccountSettings
        let transport: ExchangeTransport
        /// The token that is to be replaced; nil: there is none, and what the vault holds will do.
        let replaced: AccountToken?
    }

    /// Something to be done.
    enum Work: Sendable {
        case exchange(Job)
        /// The writing of what could not be stored before, and may be now.
        case write
    }

    /// Lives of enrolled accounts that are kept although nothing happens in them.
    private static let idleLifecycleLimit = 16_384

    let apis: [APIContext]
    let clock: any ProxyClock
    let vault: any CredentialStore
    let held = HeldCredentials()
    let logger: Logger
    let locks: AccountLocks
    let metrics: TokenMetrics
    let lastExchanges: LastExchanges
    let unwritten: UnwrittenCredentials
    let earlier: EarlierCredentials
    /// Accounts whose tokens, obtained while the store was away, give way to what is stored.
    let displaced: AsyncStream<(CredentialName, Displacement)>
    let newDisplaced: AsyncStream<(CredentialName, Displacement)>.Continuation
    /// Tells that there are accounts for ``comparable()``.
    let uncompared: AsyncStream<Void>
    let newUncompared: AsyncStream<Void>.Continuation
    let state = Mutex(State())
    private let waiterLimit: Int
    private let work: AsyncStream<Work>
    let newWork: AsyncStream<Work>.Continuation

    /// - Parameters:
    ///   - common: The parts that are shared with the keepers of other configurations.
    ///   - earlier: The credentials that the keeper of the configuration before knew.
    init(
        apis: [APIContext],
        vault: any CredentialStore,
        common: TokenKeeperCommon,
        earlier: EarlierCredentials,
        waiterLimit: Int,
        metrics: TokenMetrics
    ) {
        self.apis = apis
        self.vault = vault
        clock = common.clock
        logger = common.logger
        locks = common.locks
        lastExchanges = common.lastExchanges
        unwritten = common.unwritten
        self.earlier = earlier
        self.waiterLimit = waiterLimit
        self.metrics = metrics
        (work, newWork) = AsyncStream.makeStream()
        (displaced, newDisplaced) = AsyncStream.makeStream()
        (uncompared, newUncompared) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// No request will ask for a token any more: `run()` ends when the exchanges under way have.
    func finish() {
        state.withLock { $0.finish() }
        newWork.finish()
    }

    /// Runs the exchanges that are asked for, until ``finish()`` or the cancellation of the task; then answers whoever
    /// still waits.
    func run() async {
        unwritten.onAddition { [newWork] in newWork.yield(.write) }
        await withDiscardingTaskGroup { group in
            // What a keeper of an earlier configuration has left.
            if !unwritten.isEmpty { group.addTask { await self.writeUnwritten() } }
            for await work in work {
                switch work {
                case .exchange(let job): group.addTask { await self.carryOut(job) }
                case .write: group.addTask { await self.writeUnwritten() }
                }
            }
        }
        newWork.finish()
        for wait in state.withLock({ $0.stop() }) { wait.promise.fail(Problem.stopping) }
    }

    var hasStopped: Bool { state.withLock { $0.hasStopped } }

    // MARK: Questions

    /// The token of an account whose source is an exchange.
    ///
    /// - Parameter client: Whose request it is.
    func request(
        _ reference: AccountReference,
        account: AccountSettings,
        transport: ExchangeTransport,
        client: TokenClient
    ) -> Answer {
        let now = clock.now.uptimeNanoseconds
        return state.withLock { state in
            guard !state.hasStopped else { return .problem(.stopping) }
            let waiter = state.newWaiter()
            beginLifecycle(of: reference, &state)
            let mayWait = hasPlace(client, for: reference, state)
            let action = state.lifecycles[reference]?.request(now: now, waiter: waiter, mayWait: mayWait)
            switch action {
            case .use(let token, let generation):
                return .token(issued(token, generation, of: reference, state))
            case .useAndStartExchange(let token, let generation):
                start(Job(reference: reference, account: account, transport: transport, replaced: token))
                return .token(issued(token, generation, of: reference, state))
            case .wait: return pending(waiter, of: reference, transport, client, wasUnderWay: true, &state)
            case .startExchange:
                let replaced = state.lifecycles[reference]?.replaced
                start(Job(reference: reference, account: account, transport: transport, replaced: replaced))
                return pending(waiter, of: reference, transport, client, wasUnderWay: false, &state)
            case .fail(let failure): return .problem(Problem(failure))
            case .tooManyWaiters: return .problem(.tooManyWaiters)
            case nil: return .problem(.stopping)
            }
        }
    }

    /// The provider has refused the token of a generation.
    ///
    /// - Parameter client: Whose request it is, where that can be repeated with another; nil: it cannot.
    func refuse(
        _ token: AccountToken,
        generation: UInt64,
        of reference: AccountReference,
        account: AccountSettings,
        transport: ExchangeTransport,
        client: TokenClient?
    ) -> Answer {
        let now = clock.now.uptimeNanoseconds
        return state.withLock { state in
            guard !state.hasStopped else { return .passAnswerOn }
            let waiter = client == nil ? nil : state.newWaiter()
            beginLifecycle(of: reference, &state)
            let mayWait = client.map { hasPlace($0, for: reference, state) } ?? false
            let action = state.lifecycles[reference]?.refused(
                generation: generation,
                now: now,
                waiter: waiter,
                mayWait: mayWait
            )
            switch action {
            case .use(let token, let generation):
                return .token(issued(token, generation, of: reference, state))
            case .startExchange:
                // The one that was refused may be older than what this replica has.
                let replaced = state.lifecycles[reference]?.replaced ?? token
                start(Job(reference: reference, account: account, transport: transport, replaced: replaced))
                guard let waiter, let client else { return .passAnswerOn }
                return pending(waiter, of: reference, transport, client, wasUnderWay: false, &state)
            case .wait:
                guard let waiter, let client else { return .passAnswerOn }
                return pending(waiter, of: reference, transport, client, wasUnderWay: true, &state)
            case .passAnswerOn, nil:
                let failure = state.lifecycles[reference]?.failure(now: now)
                return failure.map { .problem(Problem($0)) } ?? .passAnswerOn
            }
        }
    }

    private func beginLifecycle(of reference: AccountReference, _ state: inout State) {
        guard state.lifecycles[reference] == nil else { return }
        if state.lifecycles.count >= Self.idleLifecycleLimit {
            state.lifecycles = state.lifecycles.filter { reference, lifecycle in
                if case .configured = reference { return true }
                return !lifecycle.isIdle
            }
        }
        let token = earlier.areTrusted ? earlierCredential(of: reference)?.token : nil
        let now = clock.now.uptimeNanoseconds
        let times = token.flatMap { expiry(of: $0, now: now, seconds: UInt64(max(0, clock.coarseWallSeconds))) }
        let lifecycle = TokenLifecycle<UInt64>(
            token: token,
            generation: state.lastGeneration,
            refreshAt: times?.refreshAt,
            expiresAt: times?.expiresAt,
            waiterLimit: waiterLimit
        )
        state.lastGeneration = max(state.lastGeneration, lifecycle.current?.generation ?? 0)
        state.lifecycles[reference] = lifecycle
    }

    private func start(_ job: Job) {
        newWork.yield(.exchange(job))
    }

    private func issued(
        _ token: AccountToken,
        _ generation: UInt64,
        of reference: AccountReference,
        _ state: borrowing State
    ) -> ObtainedToken {
        ObtainedToken(token: token, generation: generation, refreshAt: state.lifecycles[reference]?.refreshAt)
    }

    private func hasPlace(_ client: TokenClient, for reference: AccountReference, _ state: borrowing State) -> Bool {
        let waiting = state.lifecycles[reference]?.waiters.count ?? 0
        return state.shares.permits(client.usage, for: reference, waiting: waiting, limit: waiterLimit)
    }

    private func pending(
        _ waiter: UInt64,
        of reference: AccountReference,
        _ transport: ExchangeTransport,
        _ client: TokenClient,
        wasUnderWay: Bool,
        _ state: inout State
    ) -> Answer {
        let promise = transport.loop.makePromise(of: ObtainedToken.self)
        state.waits[waiter] = Wait(promise: promise, client: client, since: clock.coarseWallSeconds)
        state.shares.add(client.usage, for: reference)
        return .pending(promise.futureResult, waiter: waiter, wasUnderWay: wasUnderWay)
    }

    /// A request that waited was given up. The exchange goes on.
    func cancel(_ waiter: UInt64, of reference: AccountReference) {
        let wait = state.withLock { state in
            state.lifecycles[reference]?.cancelled(waiter)
            let wait = state.waits.removeValue(forKey: waiter)
            if let wait { state.shares.remove(wait.client.usage, for: reference) }
            return wait
        }
        wait?.promise.fail(Problem.stopping)
    }

    /// Returns the ends of the tokens that are held and have one, in seconds since 1970-01-01T00:00:00Z.
    func tokenExpiries() -> [(reference: AccountReference, expiresAt: UInt64)] {
        state.withLock { state in
            state.lifecycles.compactMap { reference, lifecycle in
                guard case .access(let access) = lifecycle.current?.token, let expiresAt = access.expiresAt else {
                    return nil
                }
                return (reference, expiresAt)
            }
        }
    }

    // MARK: Ends of exchanges

    /// - Parameters:
    ///   - obtainedAt: The time that it is now by the clock of whoever has obtained the token, in seconds since
    ///     1970-01-01T00:00:00Z; nil: by this machine's.
    ///   - epoch: The epoch up to which findings in the vault are older than the token.
    func succeed(
        _ reference: AccountReference,
        _ token: AccountToken,
        obtainedAt: UInt64? = nil,
        after epoch: UInt64 = 0
    ) {
        let now = clock.now.uptimeNanoseconds
        let times = expiry(of: token, now: now, seconds: obtainedAt ?? UInt64(max(0, clock.coarseWallSeconds)))
        let (promises, issued, isOutdated) = state.withLock { state in
            let waiters =
                state.lifecycles[reference]?.exchangeSucceeded(
                    with: token,
                    now: now,
                    refreshAt: times?.refreshAt,
                    expiresAt: times?.expiresAt
                ) ?? []
            let generation = state.lifecycles[reference]?.current?.generation ?? 0
            state.lastGeneration = max(state.lastGeneration, generation)
            state.shares.removeAll(for: reference)
            return (
                waiters.compactMap { state.waits.removeValue(forKey: $0)?.promise },
                ObtainedToken(token: token, generation: generation, refreshAt: times?.refreshAt),
                state.exchangeEnded(of: reference, after: epoch)
            )
        }
        for promise in promises { promise.succeed(issued) }
        if isOutdated { compareLater(reference) }
    }

    func fail(_ reference: AccountReference, _ failure: ExchangeFailure) {
        let now = clock.now.uptimeNanoseconds
        let (promises, isOutdated) = state.withLock { state in
            let waiters = state.lifecycles[reference]?.exchangeFailed(failure, now: now) ?? []
            state.shares.removeAll(for: reference)
            return (
                waiters.compactMap { state.waits.removeValue(forKey: $0)?.promise },
                state.exchangeEnded(of: reference)
            )
        }
        let problem = Problem(failure)
        for promise in promises { promise.fail(problem) }
        if isOutdated { compareLater(reference) }
    }

    /// Returns when a token is to be refreshed and when it expires, in nanoseconds of the monotonic clock; nil when the
    /// token's end is not known.
    ///
    /// - Parameter seconds: The same time as `now` by the clock that the token's end is by.
    private func expiry(
        of token: AccountToken,
        now: UInt64,
        seconds: UInt64
    ) -> (refreshAt: UInt64, expiresAt: UInt64)? {
        guard case .access(let access) = token, let expiresAt = access.expiresAt else { return nil }
        let times = RefreshSchedule.times(
            now: seconds,
            expiresAt: expiresAt,
            jitter: Double.random(in: 0..<1)
        )
        return (now + times.refreshAfter * 1_000_000_000, now + times.expireAfter * 1_000_000_000)
    }
}

/// A token that an exchange brought, or the vault held.
struct ObtainedToken: Sendable {
    let token: AccountToken
    /// Counts an account's tokens.
    let generation: UInt64
    /// The time at which a new one should be asked for, in nanoseconds of the monotonic clock; nil: not before it is
    /// refused.
    let refreshAt: UInt64?
}
