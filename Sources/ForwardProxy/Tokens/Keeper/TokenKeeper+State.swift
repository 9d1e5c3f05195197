import Bytes
import Credentials

extension TokenKeeper {
    struct State {
        /// `isWriting`: whether what could not be stored is being written.
        private enum Phase {
            case asked(isWriting: Bool)
            /// No request will ask for a token any more.
            case finishing(isWriting: Bool)
            case stopped
        }

        var lifecycles: [AccountReference: TokenLifecycle<UInt64>] = [:]
        var waits: [UInt64: Wait] = [:]
        /// The clients whose requests these are.
        var shares = WaiterShares()
        var lastWaiter: UInt64 = 0
        /// No token of any account has a higher one, so that a life that begins anew is told from the one before.
        var lastGeneration: UInt64 = 0
        private var phase = Phase.asked(isWriting: false)
        /// Accounts of which it was told that the vault may hold something else, and could not be asked.
        var uncompared: Set<AccountReference> = []
        /// The tokens that the vault was found to hold for accounts while an exchange runs for them, with the epoch
        /// that had begun before.
        private var foundMeanwhile: [AccountReference: (token: StoredToken, epoch: UInt64)] = [:]
        /// Accounts of which the log has said that what the vault holds for them is not used, with when that was
        /// obtained.
        var toldUnusable = BoundedCache<AccountReference, UInt64, Never>(limit: 4096)

        // MARK: Phases

        /// Indicates whether no request will ask for a token any more.
        var isFinishing: Bool {
            switch phase {
            case .asked: false
            case .finishing, .stopped: true
            }
        }

        var hasStopped: Bool {
            if case .stopped = phase { true } else { false }
        }

        mutating func finish() {
            if case .asked(let isWriting) = phase { phase = .finishing(isWriting: isWriting) }
        }

        /// - Returns: Those who still wait.
        mutating func stop() -> [Wait] {
            phase = .stopped
            defer { waits.removeAll() }
            return Array(waits.values)
        }

        /// - Returns: False when what could not be stored is being written already.
        mutating func beginWriting() -> Bool {
            switch phase {
            case .asked(isWriting: false): phase = .asked(isWriting: true)
            case .finishing(isWriting: false): phase = .finishing(isWriting: true)
            case .asked, .finishing, .stopped: return false
            }
            return true
        }

        mutating func endWriting() {
            switch phase {
            case .asked: phase = .asked(isWriting: false)
            case .finishing: phase = .finishing(isWriting: false)
            case .stopped: break
            }
        }

        // MARK: Waits and exchanges

        mutating func newWaiter() -> UInt64 {
            lastWaiter += 1
            return lastWaiter
        }

        /// - Parameter token: The token that the store holds; nil: it could not be asked.
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
