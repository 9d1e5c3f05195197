package import Credentials
import NIOCore
import NIOPosix

/// The credentials of a vault in a directory, for callers that must not block on its disk.
package struct DirectoryStore: CredentialStore {
    /// The time from one look at whose turn it is to the next: other processes with the same directory are rare.
    private static let turnPause = Duration.milliseconds(50)

    private let vault: Vault

    package init(_ vault: Vault) {
        self.vault = vault
    }

    package func check() async throws(VaultError) {
        try await onDisk { vault throws(VaultError) in try vault.check() }
    }

    package func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential? {
        try await onDisk { vault throws(VaultError) in try vault.load(name) }
    }

    package func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        try await onDisk { vault throws(VaultError) in try vault.change(name, decide) }
    }

    // Neither depends on what is stored, so that others may store meanwhile.

    package func store(_ credential: StoredCredential, for name: CredentialName) async throws(VaultError) {
        try await onDisk { vault throws(VaultError) in try vault.store(credential, for: name) }
    }

    package func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        try await onDisk { vault throws(VaultError) in try vault.remove(name) }
    }

    package func withTurn<Value: Sendable>(
        for name: CredentialName,
        unless isSpared: @escaping @Sendable (StoredCredential, _ isNew: Bool) -> Bool,
        _ body: @escaping @Sendable (any ExchangeTurn) async -> Value
    ) async throws(VaultError) -> TurnOutcome<Value> {
        var wait = TurnWait()
        while true {
            if let spared: TurnOutcome<Value> = wait.spared(by: try await load(name), isSpared) { return spared }
            let lock = try await onDisk { vault throws(VaultError) in try vault.turn(of: name) }
            if let lock {
                // What the one before has stored.
                let stored = try await load(name)
                if let spared: TurnOutcome<Value> = wait.spared(by: stored, isSpared) { return spared }
                return .taken(await body(DirectoryTurn(lock, of: name, stored: stored, in: self)))
            }
            do {
                try await Task.sleep(for: Self.turnPause)
            } catch {
                throw .turnLost(name)
            }
        }
    }

    package func listing() async throws(VaultError) -> VaultListing {
        try await onDisk { vault throws(VaultError) in try vault.listing() }
    }

    package func contents() async throws(VaultError) -> VaultContents {
        try await onDisk { vault throws(VaultError) in try vault.contents() }
    }

    /// A directory that is watched is so until the watching ends.
    package func watch(
        _ changed: (CredentialChanges) async -> Void,
        interrupted: (VaultError?) async -> Void
    ) async throws {
        let (changes, continuation) = AsyncStream<VaultWatcher.Changes>.makeStream()
        let watcher = try await VaultWatcher(
            directory: vault.changesPath,
            eventLoop: MultiThreadedEventLoopGroup.singleton.any()
        ) { continuation.yield($0) }
        // What changed before that was not told.
        await changed(.any)
        for await change in changes { await changed(CredentialChanges(change)) }
        await watcher.stop()
    }

    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (Vault) throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        let result = try? await NIOThreadPool.singleton.runIfActive { [vault] in
            Result { () throws(VaultError) in try body(vault) }
        }
        // The process's own thread pool ends with the process.
        guard let result else { throw .directoryUnusable(path: vault.path, reason: "the proxy is stopping") }
        return try result.get()
    }
}

extension CredentialChanges {
    fileprivate init(_ changes: VaultWatcher.Changes) {
        let names = changes.fileNames.compactMap { Vault.name(ofFile: $0) }
        // A name that is too long for a file's is not in it.
        self = changes.hasOverflowed || names.count < changes.fileNames.count ? .any : .some(names)
    }
}
