import Credentials
import HTTP1Codec
import NIOCore
import NIOPosix
import OAuthSigning
import Routing
import Settings

/// The authorizers of the requests of one event loop, account by account, made when first needed.
final class WorkerTokens {
    /// Enrolled accounts that are ready to sign; the credentials of the others are in memory all the same.
    private static let enrolledCount = 4096

    private let apis: [APIContext]
    private let keeper: TokenKeeper
    let transport: ExchangeTransport
    private var configured: [[ReadyAuthorization?]]
    private var enrolled = SlotCache<AccountReference, ReadyAuthorization>(count: WorkerTokens.enrolledCount)

    /// - Parameter transport: The transport of the exchanges that this loop asks for.
    init(apis: [APIContext], keeper: TokenKeeper, transport: ExchangeTransport) {
        self.apis = apis
        self.keeper = keeper
        self.transport = transport
        configured = apis.map { Array(repeating: nil, count: $0.settings.accounts.count) }
    }

    /// Returns whether the body of a request takes part in its signature for an account.
    func needsBody(of head: RequestHead, for account: AccountReference) -> Bool {
        let api = apis[account.api]
        guard head.framing != .none || api.signsEmptyBodies else { return false }
        // Without one the account's requests are not signed but carry an access token.
        guard let options = api.oauth1(of: account)?.options else { return false }
        let contentType = head.fields.value(of: .contentType) ?? ByteBuffer()
        return options.needsBody(
            contentType: contentType.readableBytesUInt8Span,
            hasBody: head.framing != .none || options.bodyHash == .always
        )
    }

    /// Returns the authorization that is at hand; nil also when its token is due for refreshing.
    func cached(_ account: AccountReference) -> ReadyAuthorization? {
        guard let ready = prepared(account) else { return nil }
        guard ready.refreshAt < .max else { return ready }
        return keeper.clock.now.uptimeNanoseconds < ready.refreshAt ? ready : nil
    }

    private func prepared(_ account: AccountReference) -> ReadyAuthorization? {
        switch account {
        case .configured(let api, let index): configured[api][index]
        case .enrolled: enrolled.value(for: account)
        }
    }

    /// - Parameter generations: The generation of each account of which what is held is kept; nil: all is forgotten.
    func forget(olderThan generations: [AccountReference: UInt64]?) {
        guard let generations else {
            for api in configured.indices {
                for index in configured[api].indices { configured[api][index] = nil }
            }
            return enrolled.removeAll()
        }
        for (account, generation) in generations where (prepared(account)?.generation ?? .max) < generation {
            switch account {
            case .configured(let api, let index): configured[api][index] = nil
            case .enrolled: enrolled.removeValue(for: account)
            }
        }
    }

    // MARK: Questions

    /// - Parameters:
    ///   - wait: The wait, which is to be cancelled when the request is given up.
    ///   - completion: Called once on the loop, now or later, unless the wait is cancelled.
    func authorization(
        for account: AccountReference,
        wait: TokenWait,
        completion: @escaping (Result<ReadyAuthorization, Problem>) -> Void
    ) {
        let limited = wait.limited(by: keeper.clock, on: transport.loop) { completion($0 ?? .failure(.stopping)) }
        obtain(account, wait) { limited($0) }
    }

    private func obtain(
        _ account: AccountReference,
        _ wait: TokenWait,
        _ completion: @escaping (Result<ReadyAuthorization, Problem>) -> Void
    ) {
        guard let settings = apis[account.api].settings(of: account) else {
            return lookUp(account, wait, completion)
        }
        switch settings.source {
        case .issued(let token):
            tellUnused(account)
            completion(make(account, .oauth1(token)))
        case .bearer(let token):
            tellUnused(account)
            completion(make(account, .access(AccessToken(token))))
        case .twoLegged:
            tellUnused(account)
            completion(make(account, nil))
        case .threeLegged: lookUp(account, wait, completion)
        case .reverseAuth, .xAuth, .password: request(account, settings, wait, completion)
        }
    }

    /// Says in the log of an account that has its token in the configuration that the vault holds one for it too, as it
    /// does after an account that was enrolled has been configured.
    private func tellUnused(_ account: AccountReference) {
        let api = apis[account.api]
        let name = CredentialName(api: api.settings.name, account: api.name(of: account))
        Task { [keeper] in _ = keeper.usable(try? await keeper.loadStored(name), as: account) }
    }

    private func request(
        _ account: AccountReference,
        _ settings: AccountSettings,
        _ wait: TokenWait,
        _ completion: @escaping (Result<ReadyAuthorization, Problem>) -> Void
    ) {
        let answer = keeper.request(account, account: settings, transport: transport, client: wait.client)
        handle(answer, account, settings, wait) { outcome in
            completion(outcome ?? .failure(.stopping))
        }
    }

    /// The provider has refused the token that was used.
    ///
    /// - Parameters:
    ///   - wait: The wait of a request that can be repeated, to be cancelled when it is given up; nil: it cannot.
    ///   - completion: Called once on the loop, now or later, unless the wait is cancelled; with nil when the provider's
    ///     answer is to be passed on.
    func renew(
        _ ready: ReadyAuthorization,
        of account: AccountReference,
        wait: TokenWait?,
        completion: @escaping (Result<ReadyAuthorization, Problem>?) -> Void
    ) {
        guard let token = ready.token else { return completion(nil) }
        let completion = wait?.limited(by: keeper.clock, on: transport.loop, completion) ?? completion
        // Nobody is told of the new token: the next request has to ask for it.
        if wait == nil, prepared(account)?.generation == ready.generation {
            forget(olderThan: [account: .max])
        }
        exchangeSettings(of: account) { [self] settings in
            guard let settings else { return completion(nil) }
            let answer = keeper.refuse(
                token,
                generation: ready.generation,
                of: account,
                account: settings,
                transport: transport,
                client: wait?.client
            )
            handle(answer, account, settings, wait, completion)
        }
    }

    /// - Parameter completion: Called with nil when the account's token does not come of an exchange.
    private func exchangeSettings(
        of account: AccountReference,
        completion: @escaping (AccountSettings?) -> Void
    ) {
        let api = apis[account.api]
        if let settings = api.settings(of: account) { return completion(settings) }
        credential(of: account) { result, _ in
            let login = (try? result.get())?.login
            completion(login.map { AccountSettings(name: api.name(of: account), source: .password($0)) })
        }
    }

    private func handle(
        _ answer: TokenKeeper.Answer,
        _ account: AccountReference,
        _ settings: AccountSettings,
        _ wait: TokenWait?,
        _ completion: @escaping (Result<ReadyAuthorization, Problem>?) -> Void
    ) {
        switch answer {
        case .token(let issued): completion(make(account, issued, settings))
        case .problem(let problem): completion(.failure(problem))
        case .passAnswerOn: completion(nil)
        case .pending(let future, let waiter, let wasUnderWay):
            wait?.begin(wasUnderWay: wasUnderWay) { [keeper] in keeper.cancel(waiter, of: account) }
            future.assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success(let issued): completion(make(account, issued, settings))
                case .failure(let error): completion(.failure(error as? Problem ?? .stopping))
                }
            }
        }
    }

    // MARK: Accounts that are in the vault

    private func lookUp(
        _ account: AccountReference,
        _ wait: TokenWait,
        _ completion: @escaping (Result<ReadyAuthorization, Problem>) -> Void
    ) {
        credential(of: account) { [self] result, isCurrent in
            switch result {
            case .success(let credential?): use(credential, account, isCurrent: isCurrent, wait, completion)
            case .success(nil): completion(.failure(missing(account)))
            case .failure(let error):
                completion(.failure((error as? VaultError).map { Problem(ExchangeFailure($0)) } ?? .stopping))
            }
        }
    }

    /// - Parameter completion: Called once on the loop, now or later, with nil when there is none that is of use; and
    ///   whether the vault has not changed since it was read.
    private func credential(
        of account: AccountReference,
        completion: @escaping (Result<StoredCredential?, any Error>, _ isCurrent: Bool) -> Void
    ) {
        if let credential = keeper.held.credential(of: account) { return completion(.success(credential), true) }
        let epoch = keeper.held.epoch
        if keeper.earlier.areTrusted, let credential = keeper.earlierCredential(of: account) {
            keeper.held.remember(credential, of: account, epoch: epoch)
            return completion(.success(credential), true)
        }
        let name = keeper.name(of: account)
        let promise = transport.loop.makePromise(of: (StoredCredential?).self)
        promise.completeWithTask { [keeper] in try await keeper.loadStored(name) }
        promise.futureResult.assumeIsolated().whenComplete { [self] read in
            let isCurrent = keeper.held.isCurrent(account, since: epoch)
            let found: StoredCredential? =
                switch read {
                case .success(let stored): keeper.usable(stored, as: account)
                case .failure(let error as VaultError) where isCurrent && error.isUnavailability:
                    keeper.knownWithoutStore(of: account)
                case .failure: nil
                }
            guard let credential = found else {
                return completion(read.map { _ in nil }, isCurrent)
            }
            keeper.held.remember(credential, of: account, epoch: epoch)
            completion(.success(credential), isCurrent)
        }
    }

    private func missing(_ account: AccountReference) -> Problem {
        let api = apis[account.api]
        let name = api.name(of: account)
        switch account {
        case .configured: return .needsLogin(api: api.settings.name, account: name)
        case .enrolled: return Problem(Refusal.unknownAccount(name, api: api.settings.name))
        }
    }

    private func use(
        _ credential: StoredCredential,
        _ account: AccountReference,
        isCurrent: Bool,
        _ wait: TokenWait,
        _ completion: @escaping (Result<ReadyAuthorization, Problem>) -> Void
    ) {
        if let login = credential.login {
            let name = apis[account.api].name(of: account)
            return request(account, AccountSettings(name: name, source: .password(login)), wait, completion)
        }
        completion(make(account, credential.token, from: .vault, isKept: isCurrent))
    }

    // MARK: Preparing

    private func make(
        _ account: AccountReference,
        _ issued: ObtainedToken,
        _ settings: AccountSettings
    ) -> Result<ReadyAuthorization, Problem> {
        if let ready = prepared(account), ready.generation > issued.generation { return .success(ready) }
        if let ready = prepared(account), ready.generation == issued.generation, ready.refreshAt == issued.refreshAt {
            return .success(ready)
        }
        return make(
            account,
            issued.token,
            from: .exchange(
                generation: issued.generation,
                refreshAt: issued.refreshAt,
                secrets: settings.source.secrets
            )
        )
    }

    /// - Parameter isKept: Whether it serves further requests.
    private func make(
        _ account: AccountReference,
        _ token: AccountToken?,
        from origin: TokenOrigin = .configuration,
        isKept: Bool = true
    ) -> Result<ReadyAuthorization, Problem> {
        let api = apis[account.api]
        do throws(SigningError) {
            let ready = try ReadyAuthorization(
                token,
                oauth1: api.oauth1(of: account),
                client: api.client(of: account),
                template: api.headerTemplate,
                origin: origin
            )
            guard let ready else {
                return .failure(.unsendableToken(api: api.settings.name, account: api.name(of: account)))
            }
            if isKept { keep(ready, for: account) }
            return .success(ready)
        } catch {
            return .failure(.unsignable(error))
        }
    }

    private func keep(_ ready: ReadyAuthorization, for account: AccountReference) {
        switch account {
        case .configured(let api, let index): configured[api][index] = ready
        case .enrolled: enrolled.insert(ready, for: account)
        }
    }
}

extension StoredCredential {
    var isEnrolled: Bool { origin == .enrolment }
}

@available(*, unavailable)
extension WorkerTokens: Sendable {}
