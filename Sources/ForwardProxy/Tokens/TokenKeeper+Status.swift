import Credentials
import Synchronization

// MARK: - What is told of tokens

extension TokenKeeper {
    /// Returns what there is to tell of those accounts whose tokens were asked for.
    ///
    /// - Parameter accounts: Those that are wanted. The lock is let go of after each, so that no event loop waits long.
    func uses(of accounts: [CredentialName: AccountReference]) -> [CredentialName: TokenUse] {
        accounts.compactMapValues { reference in
            state.withLock { state in state.lifecycles[reference].map { TokenUse($0) } }
        }
    }
}

extension TokenUse {
    fileprivate init(_ lifecycle: borrowing TokenLifecycle<UInt64>) {
        let token = lifecycle.current?.token
        let expiresAt: UInt64? = if case .access(let access) = token { access.expiresAt } else { nil }
        self.init(hasToken: token != nil, expiresAt: expiresAt, waiting: lifecycle.waiterCount)
    }
}
