import Credentials
import Files

/// A turn at exchanging that other processes with the same directory keep to. It lasts until it is given up.
struct DirectoryTurn: ExchangeTurn {
    let stored: StoredCredential?
    private let store: DirectoryStore
    private let name: CredentialName
    private let lock: NumberLock

    init(_ lock: NumberLock, of name: CredentialName, stored: StoredCredential?, in store: DirectoryStore) {
        self.lock = lock
        self.name = name
        self.stored = stored
        self.store = store
    }

    var end: TurnEnd? { nil }

    func change(
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        try await store.change(name, decide)
    }
}
