import CredentialStores
import Credentials
import OAuthSigning
import Synchronization
import TestSupport

/// The store in a directory, which can be made to go away as one beyond a network does.
final class InterruptibleStore: CredentialStore {
    private let store: DirectoryStore
    private let away = Mutex(false)
    private let awayAtChange = Mutex(false)
    private let silent = Mutex(false)
    private let newcomer = Mutex<StoredCredential?>(nil)
    private let turnIsLost = Mutex(false)
    private let pause = Mutex<Gate?>(nil)
    private let writes = Inbox()
    private let doubts = Inbox()
    private let failures = Inbox()
    private let questions = Inbox()
    private let tellings = Inbox()
    private let tokens = Mutex<[CredentialName: AccountToken]>([:])

    init(_ vault: Vault) {
        store = DirectoryStore(vault)
    }

    /// Goes away when something is to be changed.
    func goAwayAtChange() { awayAtChange.withLock { $0 = true } }

    /// Loses the turn without an answer when something is to be changed next, and has somebody else store a credential.
    func loseTurnAtChange(to newcomer: StoredCredential) { self.newcomer.withLock { $0 = newcomer } }

    /// Makes whoever has a turn wait once something is changed, until a gate is opened.
    func pauseAfterChange(until gate: Gate) { pause.withLock { $0 = gate } }

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

    /// Waits until its watchers were told of an account when it had a token, and have done what they do then.
    func told(of name: CredentialName, having token: Secret) async throws {
        let token = AccountToken.access(AccessToken(token))
        _ = try await tellings.wait { _ in
            let told = tokens.withLock { $0[name] }
            return told?.authorizes(as: token) == true ? true : nil
        }
    }

    /// The number of times that its watchers were told of accounts, and have done what they do then.
    var tellingCount: Int { tellings.total }

    func told(moreOftenThan count: Int) async throws {
        _ = try await tellings.wait { $0.total > count ? true : nil }
    }

    private func tell(_ changes: CredentialChanges, _ changed: (CredentialChanges) async -> Void) async {
        guard case .some(let names) = changes else {
            await changed(changes)
            return doubts.update { $0.total += 1 }
        }
        var stored: [CredentialName: AccountToken] = [:]
        for name in names { stored[name] = try? await store.load(name)?.token }
        await changed(changes)
        tokens.withLock { $0.merge(stored) { $1 } }
        tellings.update { $0.total += 1 }
    }

    /// Waits until somebody has found it away.
    func failed() async throws { _ = try await failures.wait { $0.total > 0 ? true : nil } }

    /// Waits until somebody has asked something of it while it was silent.
    func asked() async throws { _ = try await questions.wait { $0.total > 0 ? true : nil } }

    fileprivate func reach() async throws(VaultError) {
        if silent.withLock({ $0 }) { questions.update { $0.total += 1 } }
        _ = try? await writes.wait { _ in silent.withLock { $0 } ? nil : true }
        guard away.withLock({ $0 }) else { return }
        failures.update { $0.total += 1 }
        throw .etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer in time")
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
        var end: TurnEnd? { store.turnIsLost.withLock { $0 } ? .lost : turn.end }

        func change(
            _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
        ) async throws(VaultError) -> Bool {
            let newcomer = store.newcomer.withLock { newcomer in
                defer { newcomer = nil }
                return newcomer
            }
            if let newcomer {
                store.turnIsLost.withLock { $0 = true }
                _ = try await store.store.change(name) { _ in .store(newcomer) }
                throw .etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer in time")
            }
            let isChanged = try await store.change(name, decide)
            await store.pause.withLock { $0 }?.wait()
            return isChanged
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
        try await store.watch({ await tell($0, changed) }, interrupted: interrupted)
    }
}
