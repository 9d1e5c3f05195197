import Credentials
import Logging
import NIOCore
import NIOPosix
import OAuthSigning
import Synchronization

/// Keeps the exchanged tokens of all accounts, for all event loops: asks ``TokenLifecycle`` what to do, runs the
/// exchanges, and stores what they bring.
///
/// Asked only for a token that an event loop does not hold yet, or that was refused.
final class TokenKeeper: Sendable {
    private struct State {
        var lifecycles: [ExchangeRoute.AccountReference: TokenLifecycle<UInt64>] = [:]
        var promises: [UInt64: EventLoopPromise<IssuedToken>] = [:]
        var lastWaiter: UInt64 = 0
        var hasStopped = false

        mutating func newWaiter() -> UInt64 {
            lastWaiter += 1
            return lastWaiter
        }
    }

    private struct Job: Sendable {
        let account: ExchangeRoute.AccountReference
        let settings: ReverseAuthSettings
        let transport: ExchangeTransport
        let replacesToken: Bool
    }

    private let apis: [APIContext]
    private let vault: Vault
    private let waiterLimit: Int
    private let logger: Logger
    private let state = Mutex(State())
    private let jobs: AsyncStream<Job>
    private let newJobs: AsyncStream<Job>.Continuation

    init(apis: [APIContext], vault: Vault, waiterLimit: Int, logger: Logger) {
        self.apis = apis
        self.vault = vault
        self.waiterLimit = waiterLimit
        self.logger = logger
        (jobs, newJobs) = AsyncStream.makeStream()
    }

    /// Runs the exchanges that are asked for, until the task is cancelled; then answers whoever still waits.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { await self.carryOut(job) }
            }
        }
        newJobs.finish()
        let promises = state.withLock { state in
            state.hasStopped = true
            defer { state.promises.removeAll() }
            return state.promises.values.map { $0 }
        }
        for promise in promises { promise.fail(Problem.stopping) }
    }

    // MARK: Questions

    /// The token of an account whose source is an exchange.
    func request(
        _ account: ExchangeRoute.AccountReference,
        settings: ReverseAuthSettings,
        transport: ExchangeTransport
    ) -> TokenAnswer {
        let now = NIODeadline.now().uptimeNanoseconds
        return state.withLock { state in
            guard !state.hasStopped else { return .problem(.stopping) }
            let waiter = state.newWaiter()
            let action = state.lifecycles[account, default: newLifecycle].request(now: now, waiter: waiter)
            switch action {
            case .use(let token, let generation):
                return .token(IssuedToken(credentials: token, generation: generation))
            case .wait: return .pending(promise(waiter, transport, &state))
            case .startExchange:
                newJobs.yield(Job(account: account, settings: settings, transport: transport, replacesToken: false))
                return .pending(promise(waiter, transport, &state))
            case .fail(let failure): return .problem(problem(failure))
            case .tooManyWaiters: return .problem(.tooManyWaiters)
            }
        }
    }

    /// The provider has refused the token of a generation.
    ///
    /// - Parameter wantsToken: whether the request can be repeated with another.
    func refuse(
        generation: UInt64,
        of account: ExchangeRoute.AccountReference,
        settings: ReverseAuthSettings,
        transport: ExchangeTransport,
        wantsToken: Bool
    ) -> TokenAnswer {
        let now = NIODeadline.now().uptimeNanoseconds
        return state.withLock { state in
            guard !state.hasStopped else { return .passAnswerOn }
            let waiter = wantsToken ? state.newWaiter() : nil
            let action = state.lifecycles[account, default: newLifecycle]
                .refused(generation: generation, now: now, waiter: waiter)
            switch action {
            case .use(let token, let generation):
                return .token(IssuedToken(credentials: token, generation: generation))
            case .startExchange:
                newJobs.yield(Job(account: account, settings: settings, transport: transport, replacesToken: true))
                guard let waiter else { return .passAnswerOn }
                return .pending(promise(waiter, transport, &state))
            case .wait:
                guard let waiter else { return .passAnswerOn }
                return .pending(promise(waiter, transport, &state))
            case .passAnswerOn: return .passAnswerOn
            }
        }
    }

    private var newLifecycle: TokenLifecycle<UInt64> { TokenLifecycle(token: nil, waiterLimit: waiterLimit) }

    private func promise(
        _ waiter: UInt64,
        _ transport: ExchangeTransport,
        _ state: inout State
    ) -> EventLoopFuture<IssuedToken> {
        let promise = transport.loop.makePromise(of: IssuedToken.self)
        state.promises[waiter] = promise
        return promise.futureResult
    }

    // MARK: Exchanges

    private func carryOut(_ job: Job) async {
        let api = apis[job.account.api].settings
        let account = api.accounts[job.account.account]
        let name = CredentialName(api: api.name, account: account.name)
        do throws(ExchangeFailure) {
            if !job.replacesToken, let stored = try await load(name) {
                return succeed(job.account, stored.token)
            }
            let credential = try await exchange(job, client: account.client ?? api.client)
            await store(credential, name)
            logger.info(
                "token obtained by reverse auth",
                metadata: ["api": "\(api.name)", "account": "\(account.name)"]
            )
            succeed(job.account, credential.token)
        } catch {
            logger.error(
                "token exchange failed",
                metadata: [
                    "api": "\(api.name)", "account": "\(account.name)", "step": "\(error.step)",
                    "detail": "\(error.detail)",
                ]
            )
            fail(job.account, error)
        }
    }

    private func exchange(_ job: Job, client: ClientCredentials) async throws(ExchangeFailure) -> StoredCredential {
        var exchange = ReverseAuthExchange(settings: job.settings, client: client)
        var request = try exchange.start(nonce: Self.nonce(), timestamp: Self.timestamp())
        while true {
            let response = try await job.transport.send(request, api: job.account.api)
            switch exchange.receive(response, nonce: Self.nonce(), timestamp: Self.timestamp()) {
            case .send(let next): request = next
            case .obtained(let credential): return credential
            case .failed(let failure): throw failure
            }
        }
    }

    private static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let value = UInt128(generator.next() as UInt64) << 64 | UInt128(generator.next() as UInt64)
        return String(value, radix: 36)
    }

    private func succeed(_ account: ExchangeRoute.AccountReference, _ token: TokenCredentials) {
        let now = NIODeadline.now().uptimeNanoseconds
        let (promises, issued) = state.withLock { state in
            let waiters = state.lifecycles[account]?.exchangeSucceeded(with: token, now: now) ?? []
            let generation = state.lifecycles[account]?.current?.generation ?? 0
            return (
                waiters.compactMap { state.promises.removeValue(forKey: $0) },
                IssuedToken(credentials: token, generation: generation)
            )
        }
        for promise in promises { promise.succeed(issued) }
    }

    private func fail(_ account: ExchangeRoute.AccountReference, _ failure: ExchangeFailure) {
        let now = NIODeadline.now().uptimeNanoseconds
        let promises = state.withLock { state in
            let waiters = state.lifecycles[account]?.exchangeFailed(failure, now: now) ?? []
            return waiters.compactMap { state.promises.removeValue(forKey: $0) }
        }
        let problem = problem(failure)
        for promise in promises { promise.fail(problem) }
    }

    private func problem(_ failure: ExchangeFailure) -> Problem {
        let status = failure.status.map { ", status \($0)" } ?? ""
        return Problem(
            status: 502,
            token: .httpRequestDenied,
            detail: failure.detail,
            summary: "\(failure.step)\(status): \(failure.words.isEmpty ? failure.label : failure.words)",
            retryAfter: failure.retryAfter
        )
    }

    // MARK: Vault

    private func load(_ name: CredentialName) async throws(ExchangeFailure) -> StoredCredential? {
        do {
            return try await NIOThreadPool.singleton.runIfActive { [vault] in try vault.load(name) }
        } catch {
            throw ExchangeFailure(step: "reading the vault", status: nil, words: "\(error)", cause: .vaultUnreadable)
        }
    }

    /// A token that cannot be stored is used all the same: it is good until the process ends.
    private func store(_ credential: StoredCredential, _ name: CredentialName) async {
        do {
            try await NIOThreadPool.singleton.runIfActive { [vault] in try vault.store(credential, for: name) }
        } catch {
            logger.error(
                "a token could not be stored and will be asked for again after a restart",
                metadata: ["api": "\(name.api)", "account": "\(name.account)", "reason": "\(error)"]
            )
        }
    }
}
