import Bytes
import Credentials

extension TokenKeeper {
    struct State {
        var lifecycles: [AccountReference: TokenLifecycle<UInt64>] = [:]
        var waits: [UInt64: Wait] = [:]
        /// The clients whose requests these are.
        var shares = WaiterShares()
        var lastWaiter: UInt64 = 0
        /// No token of any account has a higher one, so that a life that begins anew is told from the one before.
        var lastGeneration: UInt64 = 0
        /// Indicates whether no request will ask for a token any more.
        var isFinishing = false
        var hasStopped = false
        /// Indicates whether what could not be stored is being written.
        var isWriting = false
        /// Accounts of which it was told that the vault may hold something else, and could not be asked.
        var uncompared: Set<AccountReference> = []
        /// What the vault was found to hold for accounts while an exchange runs for them, with the epoch that had begun before.
        private var foundMeanwhile: [AccountReference: (token: StoredToken, epoch: UInt64)] = [:]
        /// Accounts of which the log has said that what the vault holds for them is not used, with when that was
        /// obtained.
        var toldUnusable = BoundedCache<AccountReference, UInt64, Never>(limit: 4096)

        mutating func newWaiter() -> UInt64 {
            lastWaiter += 1
            return lastWaiter
        }

        /// - Parameter token: Nil: the store could not be asked.
        mutating func note(_ token: StoredToken?, of reference: AccountReference, _ epoch: UInt64) {
            // What was asked for later is newer.
            guard let token, foundMeanwhile[reference].map({ $0.epoch < epoch }) ?? true else { return }
            foundMeanwhile[reference] = (token, epoch)
        }

        /// The exchange of an account has ended, with a token or without.
        ///
        /// - Parameter epoch: The epoch up to which findings in the vault are older than the token that is known now.
        /// - Returns: Whether what it was found to hold meanwhile is not that token.
        mutating func exchangeEnded(of reference: AccountReference, after epoch: UInt64 = 0) -> Bool {
            guard let found = foundMeanwhile.removeValue(forKey: reference), found.epoch > epoch else { return false }
            return !found.token.isToken(lifecycles[reference]?.known)
        }
    }
}
