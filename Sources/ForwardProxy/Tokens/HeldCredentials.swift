import Bytes
import Credentials
import Synchronization

/// The credentials of enrolled accounts, and of those that a person logs in, as the vault last had them: a bounded
/// number of them, for all event loops.
final class HeldCredentials: Sendable {
    /// Some 500 bytes each.
    private static let limit = 131_072

    private struct State {
        var cache = BoundedCache<AccountReference, StoredCredential, Never>(limit: HeldCredentials.limit)
        /// Those that were forgotten since any may have changed, and not read again since then.
        var doubted = BoundedCache<AccountReference, StoredCredential, Never>(limit: HeldCredentials.limit)
        var epoch: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Changes whenever something is forgotten: what was read from the vault before that may be out of date.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    /// What is held of all accounts.
    var all: [AccountReference: StoredCredential] { state.withLock { $0.cache.all } }

    func credential(of account: AccountReference) -> StoredCredential? {
        state.withLock { $0.cache.value(for: account) }
    }

    /// Returns what was held of an account until the store told that it may hold something else for any account, if that was
    /// not read again: the best that is known while the store is away.
    func doubted(of account: AccountReference) -> StoredCredential? {
        state.withLock { $0.doubted.value(for: account) }
    }

    /// - Parameter epoch: As it was before the credential was read.
    func remember(_ credential: StoredCredential, of account: AccountReference, epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.cache.insert(credential, for: account)
            state.doubted.removeValue(for: account)
        }
    }

    /// - Parameter accounts: Nil: all.
    /// - Returns: What was held of them, and the epoch that has begun.
    @discardableResult
    func forget(
        _ accounts: [AccountReference]?
    ) -> (forgotten: [AccountReference: StoredCredential], epoch: UInt64) {
        state.withLock { state in
            state.epoch += 1
            var forgotten: [AccountReference: StoredCredential] = [:]
            if let accounts {
                for account in accounts {
                    forgotten[account] = state.cache.value(for: account)
                    state.cache.removeValue(for: account)
                    state.doubted.removeValue(for: account)
                }
            } else {
                forgotten = state.cache.all
                for (account, credential) in forgotten { state.doubted.insert(credential, for: account) }
                state.cache.removeAll()
            }
            return (forgotten, state.epoch)
        }
    }
}
