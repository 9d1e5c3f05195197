import CredentialStores
import Credentials
import Synchronization
import TestSupport

/// The store in a directory, which can be made to go away as one beyond a network does.
final class InterruptibleStore: CredentialStore {
    private let store: DirectoryStore
    private let away = Mutex(false)
    private let awayAtChange = Mutex(false)
    private let silent = Mutex(false)
    private let writes = Inbox()
    private let doubts = Inbox()

    init(_ vault: Vault) {
        store = DirectoryStore(vault)
    }

    /// Goes away when something is to be changed.
    func goAwayAtChange() { awayAtChange.withLock { $0 = true } }

    func goAway() { away.withLock { $0 = true } }
    /// Answers nothing until it comes back, as one beyond a network that loses everything.
    func fallSilent() { silent.withLock { $0 = true } }
    func comeBack() {
        away.withLock { $0 = false }
        silent.withLock { $0 = false }
        writes.update { _ in }
    }

    /// Waits until something has been changed so often.
    func changed(_ times: Int) async throws {
        _ = try await writes.wait { $0.total >= times ? true : nil }
    }

    /// The number of times that its watchers were told that anything may have changed, and have done what they do then.
    var doubtCount: Int { doubts.total }

    func doubted(moreOftenThan count: Int) async throws {
        _ = try await doubts.wait { $0.total > count ? true : nil }
    }

    fileprivate func reach() async throws(VaultError) {
        _ = try? await writes.wait { _ in silent.withLock { $0 } ? nil : true }
        if away.withLock({ $0 }) { throw .etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer in time") }
    }

    func check() async throws(VaultError) {
        try await reach()
        try await store.check()
    }

    func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential? {
        try await reach()
        return try await store.load(name)
    }

    func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        let goesAway = awayAtChange.withLock { goesAway in
            defer { goesAway = false }
            return goesAway
        }
        if goesAway { goAway() }
        try await reach()
        let isChanged = try await store.change(name, decide)
        if isChanged { writes.update { $0.total += 1 } }
        return isChanged
    }

    func replace(
        _ name: CredentialName,
        with credential: StoredCredential,
        if isExpected: @escaping @Sendable (StoredCredential) -> Bool
    ) async throws(VaultError) -> Bool {
        try await reach()
        return try await store.replace(name, with: credential, if: isExpected)
    }

    func withTurn<Value: Sendable>(
        for name: CredentialName,
        unless isSpared: @escaping @Sendable (StoredCredential, _ isNew: Bool) -> Bool,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async throws(VaultError) -> TurnOutcome<Value> {
        try await reach()
        return try await store.withTurn(for: name, unless: isSpared) { turn in
            await body(Turn(turn: turn, store: self, name: name))
        }
    }

    private struct Turn: ExchangeTurn {
        let turn: any ExchangeTurn
        let store: InterruptibleStore
        let name: CredentialName

        var stored: StoredCredential? { turn.stored }
        var end: TurnEnd? { turn.end }

        func change(
            _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
        ) async throws(VaultError) -> Bool {
            try await store.change(name, decide)
        }
    }

    func listing() async throws(VaultError) -> VaultListing {
        try await reach()
        return try await store.listing()
    }

    func contents() async throws(VaultError) -> VaultContents {
        try await reach()
        return try await store.contents()
    }

    func watch(
        _ changed: (CredentialChanges) async -> Void,
        interrupted: (VaultError?) async -> Void
    ) async throws {
        // What is watched is asked first.
        _ = try await writes.wait { _ in away.withLock { $0 } || silent.withLock { $0 } ? nil : true }
        try await store.watch(
            { changes in
                await changed(changes)
                if changes == .any { doubts.update { $0.total += 1 } }
            },
            interrupted: interrupted
        )
    }
}
