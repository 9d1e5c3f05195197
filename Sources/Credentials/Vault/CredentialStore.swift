/// Credentials at rest, wherever they are kept: a ``Vault`` in a directory, or one in etcd. Safe to use from any number
/// of tasks, processes and replicas at once.
///
/// What is stored is sealed before it leaves the process. A credential is only ever replaced as a whole, and what is
/// stored stays when the call has returned. One that is of no use is an error of itself alone.
package protocol CredentialStore: Sendable {
    /// Looks whether what is stored could be read, as far as that concerns the store as a whole and its key.
    /// - Throws: The reason why it could not.
    func check() async throws(VaultError)

    /// Returns nil when nothing is stored.
    /// - Throws: An error that names the credential's place, when there is one and it cannot be opened.
    func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential?

    /// Stores, replaces or removes a credential, as it is decided in view of the one that is stored. Nobody changes
    /// that meanwhile.
    ///
    /// - Parameter decide: The decision, given what is stored, nil when that is nothing or cannot be opened. Called
    ///   again when somebody else was quicker.
    /// - Returns: Whether anything was changed.
    /// - Throws: An error, and the one before is kept. ``VaultError/etcdUnavailable(etcd:reason:)`` when it is not
    ///   known whether it was.
    func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool

    /// Stores a credential in place of the one before.
    func store(_ credential: StoredCredential, for name: CredentialName) async throws(VaultError)

    /// Removes a credential, of whatever state.
    /// - Returns: Whether one was stored.
    @discardableResult
    func remove(_ name: CredentialName) async throws(VaultError) -> Bool

    /// Runs an exchange for an account when it is its turn: of all who share the store, one at a time.
    ///
    /// Whoever waits learns at once when a credential is stored. The turn of a process that has died goes to another
    /// one.
    ///
    /// - Parameters:
    ///   - isSpared: Whether a credential spares the exchange, given that and whether it has another token than was
    ///     stored when the turn was asked for. Asked of what is stored at first, whenever that has changed, and once
    ///     more when the turn has come.
    ///   - body: The exchange. Its task is cancelled when the turn ends before it does.
    /// - Throws: When the store is of no use, what it has cannot be opened, or the task is cancelled while it waits.
    func withTurn<Value: Sendable>(
        for name: CredentialName,
        unless isSpared: @escaping @Sendable (StoredCredential, _ isNew: Bool) -> Bool,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async throws(VaultError) -> TurnOutcome<Value>

    /// Returns the names of the credentials that are there.
    func listing() async throws(VaultError) -> VaultListing

    /// Returns the names of the credentials that are there; where a name is known only once its record is opened, those
    /// of `limit` records at most.
    func listing(limit: Int) async throws(VaultError) -> VaultListing

    /// Opens every credential.
    /// - Throws: When they cannot be listed; what is wrong with one is part of the result.
    func contents() async throws(VaultError) -> VaultContents

    /// Tells of credentials that are stored or removed, by whomever, until the task is cancelled. The first that it
    /// tells is that any may have been, when from then on nothing goes untold.
    ///
    /// - Parameter interrupted: The function that is told why changes are not seen at present, once until they are seen
    ///   again; nil: now they are. What was changed meanwhile is told as ever. Told
    ///   ``VaultError/etcdRestored(etcd:from:to:)`` by itself, which nothing follows.
    /// - Throws: When they cannot be watched; what was changed is seen after the next start only.
    func watch(
        _ changed: (CredentialChanges) async -> Void,
        interrupted: (VaultError?) async -> Void
    ) async throws

    /// Asks for the state of a store that replicas share.
    /// - Parameter names: The accounts whose turns are to be told by name.
    /// - Returns: Nil when it is this machine's.
    func state(knowing names: [CredentialName]) async -> SharedStoreState?

    /// Returns whether another one has what is stored here, though it may be reached in another way.
    func isSame(as other: any CredentialStore) -> Bool

    /// The messages between replicas on providers' clocks; nil when all who share the store go by one machine's clock.
    var sharedClocks: (any SharedClocks)? { get }
}

/// Credentials that were stored or removed.
package enum CredentialChanges: Sendable, Equatable {
    case some([CredentialName])
    /// It is not known which.
    case any
}

/// The change that is to be made to a stored credential.
package enum CredentialChange: Sendable {
    case keep
    case store(StoredCredential)
    case remove
}

extension CredentialStore {
    package func store(_ credential: StoredCredential, for name: CredentialName) async throws(VaultError) {
        _ = try await change(name) { _ in .store(credential) }
    }

    /// Stores a credential in place of the one before unless that is to be kept. One that cannot be opened is replaced.
    /// - Returns: Whether it was stored.
    package func store(
        _ credential: StoredCredential,
        for name: CredentialName,
        unless isKept: @escaping @Sendable (StoredCredential) -> Bool
    ) async throws(VaultError) -> Bool {
        try await change(name) { stored in
            if let stored, isKept(stored) { .keep } else { .store(credential) }
        }
    }

    package func listing(limit: Int) async throws(VaultError) -> VaultListing { try await listing() }

    package func state(knowing names: [CredentialName]) async -> SharedStoreState? { nil }

    package func isSame(as other: any CredentialStore) -> Bool { self as AnyObject === other as AnyObject }

    package var sharedClocks: (any SharedClocks)? { nil }

    package func watch(_ changed: (CredentialChanges) async -> Void) async throws {
        try await watch(changed) { _ in }
    }

    @discardableResult
    package func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        try await change(name) { _ in .remove }
    }
}
