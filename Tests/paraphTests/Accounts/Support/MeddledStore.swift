import Credentials

/// A store in which somebody else is quicker, or later, than whoever changes it.
struct MeddledStore: CredentialStore {
    enum Moment {
        case before
        case after
    }

    let store: any CredentialStore
    let moment: Moment
    /// The credential that somebody else stores then.
    let credential: StoredCredential

    func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        if moment == .before { try await store.store(credential, for: name) }
        let isChanged = try await store.change(name, decide)
        if moment == .after { try await store.store(credential, for: name) }
        return isChanged
    }

    func check() async throws(VaultError) { try await store.check() }

    func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential? { try await store.load(name) }

    func withTurn<Value: Sendable>(
        for name: CredentialName,
        unless isSpared: @escaping @Sendable (StoredCredential, _ isNew: Bool) -> Bool,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async throws(VaultError) -> TurnOutcome<Value> {
        try await store.withTurn(for: name, unless: isSpared, body)
    }

    func listing() async throws(VaultError) -> VaultListing { try await store.listing() }

    func contents() async throws(VaultError) -> VaultContents { try await store.contents() }

    func watch(
        _ changed: (CredentialChanges) async -> Void,
        interrupted: (VaultError?) async -> Void
    ) async throws {
        try await store.watch(changed, interrupted: interrupted)
    }
}
