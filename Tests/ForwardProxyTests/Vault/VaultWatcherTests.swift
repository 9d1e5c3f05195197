import Foundation
import ForwardProxy
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite("Watching the vault for changes", .timeLimit(.minutes(1)))
struct VaultWatcherTests {
    let directory: WatchedDirectory
    let changes: AsyncStream<DirectoryChanges>
    let watcher: VaultWatcher
    let eventLoop = MultiThreadedEventLoopGroup.singleton.any()

    init() async throws {
        directory = try WatchedDirectory()
        let (changes, continuation) = AsyncStream.makeStream(of: DirectoryChanges.self)
        self.changes = changes
        watcher = try await VaultWatcher(directory: directory.path, eventLoop: eventLoop) { continuation.yield($0) }
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

    @Test("A file put in place, written, renamed or removed is told of, and nothing else")
    func files() async throws {
        // As the vault does it: written where it is not seen, and moved.
        try directory.write(".temporary/1")
        #expect(rename(directory(".temporary/1"), directory("twitter@alice.sealed")) == 0)
        #expect(await told(until: ["twitter@alice.sealed"]) == ["twitter@alice.sealed"])
        try directory.write("twitter@alice.sealed")
        #expect(await told(until: ["twitter@alice.sealed"]) == ["twitter@alice.sealed"])
        #expect(rename(directory("twitter@alice.sealed"), directory("twitter@bob.sealed")) == 0)
        let both: Set = ["twitter@alice.sealed", "twitter@bob.sealed"]
        #expect(await told(until: both) == both)
        try directory.write(".hidden")
        #expect(mkdir(directory("directory.sealed"), 0o700) == 0)
        #expect(rmdir(directory("directory.sealed")) == 0)
        #expect(unlink(directory("twitter@bob.sealed")) == 0)
        #expect(await told(until: ["twitter@bob.sealed"]) == ["twitter@bob.sealed"])
        await watcher.stop()
    }

    @Test("What another process changes is told")
    func otherProcess() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            try Data("x".utf8).write(to: URL(filePath: path + "/twitter@alice.sealed"))
        }
        #expect(await told(until: ["twitter@alice.sealed"]) == ["twitter@alice.sealed"])
        await watcher.stop()
    }

    @Test("Of many changes at once none is forgotten")
    func many() async throws {
        let names = (0..<3_000).map { "twitter@user\($0)\(String(repeating: "x", count: $0 % 100)).sealed" }
        for name in names { try directory.write(name) }
        #expect(await told(until: Set(names)) == Set(names))
        await watcher.stop()
    }

    @Test("A directory that is removed is told as changes that may have gone untold")
    func removed() async throws {
        try FileManager.default.removeItem(atPath: directory.path)
        var overflowed = false
        for await change in changes where change.overflowed {
            overflowed = true
            break
        }
        #expect(overflowed)
        await watcher.stop()
    }

    @Test("Once stopped, nothing is told, and stopping again is no mistake")
    func stopping() async throws {
        let count = Mutex(0)
        let other = try WatchedDirectory()
        let watcher = try await VaultWatcher(directory: other.path, eventLoop: eventLoop) { _ in
            count.withLock { $0 += 1 }
        }
        await watcher.stop()
        await watcher.stop()
        try other.write("twitter@alice.sealed")
        // The same event loop tells of a later change elsewhere: it has had its time for this one.
        try directory.write("twitter@bob.sealed")
        _ = await told(until: ["twitter@bob.sealed"])
        #expect(count.withLock { $0 } == 0)
        await self.watcher.stop()
    }

    @Test("What is no directory is an error that names it", arguments: ["missing", "file"])
    func unusable(name: String) async throws {
        try directory.write("file")
        let path = directory(name)
        let error = await #expect(throws: VaultWatcher.StartError.self) {
            _ = try await VaultWatcher(directory: path, eventLoop: eventLoop) { _ in }
        }
        #expect(error?.description.contains(path) == true)
        await watcher.stop()
    }
}

/// A new directory, with a subdirectory for temporary files, removed with the value.
final class WatchedDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "paraph-watched-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try FileManager.default.createDirectory(atPath: path + "/.temporary", withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    func write(_ name: String) throws {
        let file = creat(self(name), 0o600)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        close(file)
    }
}
