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
        /// Those that were forgotten, may be what the store holds all the same, and have not been read again since then.
        var doubted = BoundedCache<AccountReference, StoredCredential, Never>(limit: HeldCredentials.limit)
        var epoch: UInt64 = 0
        /// The last epoch that the forgetting of an account has begun, of those behind `firstEpoch`.
        var epochs: [AccountReference: UInt64] = [:]
        /// The epoch before which whatever was read is out of date for any account.
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

    /// The credentials that are held, of all accounts.
    var all: [AccountReference: StoredCredential] { state.withLock { $0.cache.all } }

    /// The credentials of all accounts that are known while the store is away.
    var allWithDoubted: [AccountReference: StoredCredential] {
        state.withLock { $0.doubted.all.merging($0.cache.all) { $1 } }
    }

    func credential(of account: AccountReference) -> StoredCredential? {
        state.withLock { $0.cache.value(for: account) }
    }

    /// Returns what was held of an account until the store told that it may hold something else, and could not be asked: the
    /// best that is known while the store is away.
    func doubted(of account: AccountReference) -> StoredCredential? {
        state.withLock { $0.doubted.value(for: account) }
    }

    /// - Parameter epoch: The epoch before the credential was read.
    func remember(_ credential: StoredCredential, of account: AccountReference, epoch: UInt64) {
        state.withLock { state in
            guard state.isCurrent(account, since: epoch) else { return }
            state.cache.insert(credential, for: account)
            state.doubted.removeValue(for: account)
        }
    }

    /// The store, which was to be asked what it holds for an account now, is away: what was forgotten of it is known on.
    ///
    /// - Parameter epoch: The epoch of the forgetting. Where the store has told more since then, the credential is in
    ///   doubt.
    func restore(_ credential: StoredCredential, of account: AccountReference, epoch: UInt64) {
        state.withLock { state in
            if state.isCurrent(account, since: epoch) {
                state.cache.insert(credential, for: account)
                state.doubted.removeValue(for: account)
            } else if state.cache.value(for: account) == nil {
                state.doubted.insert(credential, for: account)
            }
        }
    }

    /// The store was asked, and holds nothing for an account that it may use.
    func drop(_ account: AccountReference) {
        state.withLock { $0.doubted.removeValue(for: account) }
    }

    /// - Parameter accounts: The accounts; nil: all.
    /// - Returns: The credentials that were known of them, and the epoch that has begun.
    @discardableResult
    func forget(
        _ accounts: [AccountReference]?
    ) -> (forgotten: [AccountReference: StoredCredential], epoch: UInt64) {
        state.withLock { state in
            state.outdate(accounts)
            var forgotten: [AccountReference: StoredCredential] = [:]
            if let accounts {
                for account in accounts {
                    forgotten[account] = state.cache.value(for: account) ?? state.doubted.value(for: account)
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
