import Credentials
import NIOCore
import OAuthSigning

/// The signers of one event loop, made when first needed.
final class WorkerTokens {
    private let apis: [APIContext]
    private let keeper: TokenKeeper
    private let transport: ExchangeTransport
    private var signers: [ExchangeRoute.AccountReference: ReadySigner] = [:]

    /// - Parameter transport: how exchanges that this loop asks for are sent.
    init(apis: [APIContext], keeper: TokenKeeper, transport: ExchangeTransport) {
        self.apis = apis
        self.keeper = keeper
        self.transport = transport
    }

    func options(of account: ExchangeRoute.AccountReference) -> SigningOptions {
        let api = apis[account.api].settings
        return api.accounts[account.account].options ?? api.options
    }

    func cachedSigner(for account: ExchangeRoute.AccountReference) -> ReadySigner? {
        signers[account]
    }

    /// - Parameter completion: called once on the loop, now or later.
    func signer(
        for account: ExchangeRoute.AccountReference,
        completion: @escaping (Result<ReadySigner, Problem>) -> Void
    ) {
        switch apis[account.api].settings.accounts[account.account].source {
        case .issued(let token): completion(make(account, token, generation: 0, isRenewable: false))
        case .twoLegged: completion(make(account, nil, generation: 0, isRenewable: false))
        case .reverseAuth(let settings):
            handle(keeper.request(account, settings: settings, transport: transport), account) { outcome in
                completion(outcome ?? .failure(.stopping))
            }
        }
    }

    /// The provider has refused the token that `signer` signs with.
    ///
    /// - Parameters:
    ///   - wantsToken: whether the request can be repeated.
    ///   - completion: called once on the loop, now or later; with nil when the provider's answer is to be passed on.
    func renew(
        _ signer: ReadySigner,
        of account: ExchangeRoute.AccountReference,
        wantsToken: Bool,
        completion: @escaping (Result<ReadySigner, Problem>?) -> Void
    ) {
        guard case .reverseAuth(let settings) = apis[account.api].settings.accounts[account.account].source else {
            return completion(nil)
        }
        let answer = keeper.refuse(
            generation: signer.generation,
            of: account,
            settings: settings,
            transport: transport,
            wantsToken: wantsToken
        )
        handle(answer, account, completion)
    }

    private func handle(
        _ answer: TokenAnswer,
        _ account: ExchangeRoute.AccountReference,
        _ completion: @escaping (Result<ReadySigner, Problem>?) -> Void
    ) {
        switch answer {
        case .token(let issued): completion(make(account, issued))
        case .problem(let problem): completion(.failure(problem))
        case .passAnswerOn: completion(nil)
        case .pending(let future):
            future.assumeIsolated().whenComplete { [self] result in
                switch result {
                case .success(let issued): completion(make(account, issued))
                case .failure(let error): completion(.failure(error as? Problem ?? .stopping))
                }
            }
        }
    }

    private func make(
        _ account: ExchangeRoute.AccountReference,
        _ issued: IssuedToken
    ) -> Result<ReadySigner, Problem> {
        if let ready = signers[account], ready.generation >= issued.generation { return .success(ready) }
        return make(account, issued.credentials, generation: issued.generation, isRenewable: true)
    }

    private func make(
        _ account: ExchangeRoute.AccountReference,
        _ token: TokenCredentials?,
        generation: UInt64,
        isRenewable: Bool
    ) -> Result<ReadySigner, Problem> {
        let api = apis[account.api].settings
        let settings = api.accounts[account.account]
        do throws(SigningError) {
            let signer = try Signer(
                client: settings.client ?? api.client,
                token: token,
                options: settings.options ?? api.options
            )
            let ready = ReadySigner(signer: signer, generation: generation, isRenewable: isRenewable)
            signers[account] = ready
            return .success(ready)
        } catch {
            return .failure(.unsignable(error))
        }
    }
}

@available(*, unavailable)
extension WorkerTokens: Sendable {}
