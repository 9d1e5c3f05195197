import Credentials
import DirectoryWatching
import Foundation
import CredentialStores
import NIOCore
import NIOPosix
import OAuthSigning
import Synchronization
import TestSupport
import Testing

@Suite("Watching the vault for changes", .generousLimit, .timed)
struct VaultWatcherTests {
    let directory: WatchedDirectory
    let changes: AsyncStream<VaultWatcher.Changes>
    let watcher: VaultWatcher
    let eventLoop = MultiThreadedEventLoopGroup.singleton.any()

    init() async throws {
        directory = try WatchedDirectory()
        let (changes, continuation) = AsyncStream.makeStream(of: VaultWatcher.Changes.self)
        self.changes = changes
        watcher = try await VaultWatcher(directory: directory.changesPath, eventLoop: eventLoop) {
            continuation.yield($0)
        }
    }

    /// Reads changes until each of the files has been told of; returns all that were.
    private func told(until expected: Set<String>) async -> Set<String> {
        var told: Set<String> = []
        var missing = expected
        for await change in changes {
            told.formUnion(change.fileNames)
            for name in change.fileNames { missing.remove(name) }
            if missing.isEmpty { break }
        }
        return told
    }

    @Test("What a vault stores, replaces, removes and is re-keyed to: the credentials are told of, and nothing else")
    func vault() async throws {
        let path = directory("vault")
        let vault = try Vault(directory: path, key: .file(path: directory("vault.key")))
        let (changes, continuation) = AsyncStream.makeStream(of: VaultWatcher.Changes.self)
        let watcher = try await VaultWatcher(directory: vault.changesPath, eventLoop: eventLoop) {
            continuation.yield($0)
        }
        let names = ["alice", "bob", String(repeating: "long", count: 100)].map {
            CredentialName(api: "twitter", account: $0)
        }
        let files = names.map { Vault.fileName(of: $0) }
        let credential = StoredCredential(token: .access(AccessToken(Secret("t"))), obtainedAt: 0)
        var iterator = changes.makeAsyncIterator()
        for (name, file) in zip(names, files) {
            for _ in 0..<2 {
                try vault.store(credential, for: name)
                #expect(await iterator.next()?.fileNames == [file])
            }
        }
        _ = try vault.rekey()
        #expect(try vault.remove(names[0]))
        #expect(await iterator.next()?.fileNames == [files[0]])
        #expect(try !vault.remove(names[0]))
        #expect(try vault.remove(names[2]))
        #expect(await iterator.next()?.fileNames == [files[2]])
        await watcher.stop()
        await self.watcher.stop()
    }

    @Test("What another process changes is told")
    func otherProcess() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let file = path + "/.temporary/twitter@alice.sealed.new-1"
            try Data("x".utf8).write(to: URL(filePath: file))
            try FileManager.default.moveItem(atPath: file, toPath: path + "/twitter@alice.sealed")
        }
        #expect(await told(until: ["twitter@alice.sealed"]) == ["twitter@alice.sealed"])
        await watcher.stop()
    }

    @Test("No change is forgotten where many are made at once")
    func many() async throws {
        let names = (0..<3_000).map { "twitter@user\($0)\(String(repeating: "x", count: $0 % 100)).sealed" }
        for name in names { try directory.change(name) }
        #expect(await told(until: Set(names)) == Set(names))
        await watcher.stop()
    }

    @Test("A directory that is removed is told as changes that may have gone untold")
    func removed() async throws {
        try FileManager.default.removeItem(atPath: directory.changesPath)
        var hasOverflowed = false
        for await change in changes where change.hasOverflowed {
            hasOverflowed = true
            break
        }
        #expect(hasOverflowed)
        await watcher.stop()
    }

    @Test("Once stopped, nothing is told, and stopping again is no mistake")
    func stopping() async throws {
        let count = Mutex(0)
        let other = try WatchedDirectory()
        let watcher = try await VaultWatcher(directory: other.changesPath, eventLoop: eventLoop) { _ in
            count.withLock { $0 += 1 }
        }
        await watcher.stop()
        await watcher.stop()
        try other.change("twitter@alice.sealed")
        // The same event loop tells of a later change elsewhere: it has had its time for this one.
        try directory.change("twitter@bob.sealed")
        _ = await told(until: ["twitter@bob.sealed"])
        #expect(count.withLock { $0 } == 0)
        await self.watcher.stop()
    }

    @Test("What is no directory is an error that names it", arguments: ["missing", "file"])
    func unusable(name: String) async throws {
        try directory.write("file")
        let path = directory(name)
        let error = await #expect(throws: DirectoryWatchError.self) {
            _ = try await VaultWatcher(directory: path, eventLoop: eventLoop) { _ in }
        }
        #expect(error?.description.contains(path) == true)
        await watcher.stop()
    }
}

/// A new directory, as a vault has it, removed with the value.
struct WatchedDirectory: Sendable {
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
        try FileManager.default.createDirectory(atPath: changesPath, withIntermediateDirectories: false)
    }

    var path: String { directory.path }
    var changesPath: String { self(".temporary") }

    /// Puts a file in place as a vault does.
    func change(_ name: String) throws {
        try write(".temporary/\(name).new-1")
        guard rename(self(".temporary/\(name).new-1"), self(name)) == 0 else { throw POSIXError(.EIO) }
    }

    func callAsFunction(_ name: String) -> String { directory(name) }

    func write(_ name: String) throws {
        try directory.write("", to: name)
    }
}
