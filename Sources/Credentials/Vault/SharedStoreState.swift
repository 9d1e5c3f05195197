/// The state of a store that replicas share, as one of them finds it.
package struct SharedStoreState: Sendable, Equatable {
    /// A turn at exchanging that somebody has.
    package struct HeldTurn: Sendable, Equatable {
        /// The account; nil when it is not one of those that were asked for.
        package var name: CredentialName?
        /// The replica, as it calls itself.
        package var holder: String

        package init(name: CredentialName?, holder: String) {
            self.name = name
            self.holder = holder
        }
    }

    /// The keys that the store's records are sealed under, beside the one of the configuration.
    package enum KeyState: Sendable, Equatable {
        /// There is one, and it is the configuration's.
        case configured
        /// The store is being re-keyed: an old key and a new one open its records.
        /// - Parameter hasNewKey: Whether the configuration has the new one.
        case rekeying(hasNewKey: Bool)
        /// The store was re-keyed while this process ran, and the configuration still has the key that opens nothing
        /// any more: the process cannot be started anew.
        case replaced
    }

    /// The reason why the store does not tell the rest; nil: it does.
    package var failure: VaultError?
    /// The store's newest revision.
    package var revision: Int64?
    /// The number of records, those of removed credentials among them.
    package var records: Int?
    package var keys: KeyState?
    package var turns: [HeldTurn] = []
    /// The number of turns that are not among ``turns``.
    package var turnsLeftOut = 0
    /// The state of the watch; nil when changes are not watched.
    package var watch: CredentialWatchState?

    package init() {}
}
