import Credentials
import NIOCore
import Settings

/// Makes every event loop forget what the vault no longer holds.
struct AccountInvalidation: Sendable {
    private let keeper: TokenKeeper
    private let apis: [APIContext]
    private let tokens: [NIOLoopBound<WorkerTokens>]

    init(keeper: TokenKeeper, apis: [APIContext], tokens: [NIOLoopBound<WorkerTokens>]) {
        self.keeper = keeper
        self.apis = apis
        self.tokens = tokens
    }

    /// Returns when no request will be authorized with what is out of date.
    ///
    /// - Parameter accounts: The accounts whose credentials may be others; nil: all.
    func forget(_ accounts: [AccountReference]?) async {
        let current = await keeper.vaultChanged(accounts)
        for tokens in tokens {
            try? await tokens.eventLoop.submit { tokens.value.forget(olderThan: current) }.get()
        }
    }

    func forgetAccount(_ name: CredentialName) async {
        guard let reference = reference(to: name) else { return }
        await forget([reference])
    }

    func forget(_ changes: CredentialChanges) async {
        guard case .some(let names) = changes else { return await forget(nil) }
        let accounts = Set(names.compactMap { reference(to: $0) })
        if !accounts.isEmpty { await forget(Array(accounts)) }
    }

    private func reference(to name: CredentialName) -> AccountReference? {
        guard let api = apis.firstIndex(where: { $0.settings.name == name.api }) else { return nil }
        if let index = apis[api].settings.accounts.firstIndex(where: { sameBytes($0.name, name.account) }) {
            return .configured(api: api, account: index)
        }
        return .enrolled(api: api, name: name.account)
    }
}
