import Bytes
import Credentials
import Synchronization

/// The credentials of enrolled accounts, and of those that a person logs in, as the vault last had them: a bounded
/// number of them, for all event loops.
final class HeldCredentials: Sendable {
    /// Some 500 bytes each.
    private static let limit = 131_072
    /// Some 100 bytes each, for the time that a read of the vault takes.
    private static let limitOfChanges = 4096

    private struct State {
        var cache = BoundedCache<AccountReference, StoredCredential, Never>(limit: HeldCredentials.limit)
        /// Those that were forgotten since any may have changed, and not read again since then.
        var doubted = BoundedCache<AccountReference, StoredCredential, Never>(limit: HeldCredentials.limit)
        var epoch: UInt64 = 0
        /// The last epoch that the forgetting of an account has begun, of those behind `firstEpoch`.
        var epochs: [AccountReference: UInt64] = [:]
        /// What was read before this epoch is out of date for any account.
        var firstEpoch: UInt64 = 0

        func isCurrent(_ account: AccountReference, since epoch: UInt64) -> Bool {
            epoch >= max(firstEpoch, epochs[account] ?? 0)
        }

        mutating func outdate(_ accounts: [AccountReference]?) {
            epoch += 1
            if let accounts, epochs.count + accounts.count <= HeldCredentials.limitOfChanges {
                for account in accounts { epochs[account] = epoch }
            } else {
                epochs = [:]
                firstEpoch = epoch
            }
        }
    }

    private let state = Mutex(State())

    /// Changes whenever something is forgotten: what was read from the vault of that before may be out of date.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    /// Returns whether the vault has not told since an epoch that it may hold something else for an account.
    func isCurrent(_ account: AccountReference, since epoch: UInt64) -> Bool {
        state.withLock { $0.isCurrent(account, since: epoch) }
    }

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
            guard state.isCurrent(account, since: epoch) else { return }
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
            state.outdate(accounts)
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
