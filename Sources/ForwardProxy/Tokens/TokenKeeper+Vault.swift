import Credentials
import NIOCore
import Synchronization

// MARK: - What others put into the vault

extension TokenKeeper {
    /// The vault holds something else for these accounts, or nothing any more, or may do so.
    ///
    /// - Parameter references: nil: for any account.
    /// - Returns: the accounts whose prepared signers are out of date.
    func vaultChanged(_ references: [AccountReference]?) async -> [AccountReference]? {
        held.forget(references)
        let living = state.withLock { state in
            state.lifecycles.compactMap { reference, lifecycle in
                references?.contains(reference) ?? true ? (reference, lifecycle.current?.token) : nil
            }
        }
        var changed: [AccountReference: AccountToken?] = [:]
        for (reference, token) in living {
            let api = apis[reference.api]
            let name = CredentialName(api: api.settings.name, account: api.name(of: reference))
            // A file that is of no use now is told when its account is asked for next.
            if let stored = try? await load(name), stored.token == token { continue }
            changed[reference] = token
        }
        let now = clock.now.uptimeNanoseconds
        state.withLock { state in
            for (reference, token) in changed {
                // An exchange that has ended meanwhile brought what the vault holds.
                guard let lifecycle = state.lifecycles[reference], lifecycle.current?.token == token else { continue }
                // What failed before need not fail with what this very account has now.
                let isWaiting = references != nil && lifecycle.failure(now: now) != nil
                if lifecycle.isIdle || isWaiting { state.lifecycles[reference] = nil }
            }
        }
        guard let references else { return nil }
        let unmanaged = references.filter { reference in !living.contains { $0.0 == reference } }
        return unmanaged + changed.keys
    }
}
