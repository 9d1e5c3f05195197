import Files
import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Watching files for changes", .generousLimit, .timed)
struct FileWatcherTests {
    /// The ways in which a file becomes another one. Each can be gone again and again.
    enum Way: CaseIterable {
        case inPlace
        case replaced
        case permissions
        case removedAndMade
        case kubelet
        case directoryReplaced
        case directoryAboveReplaced
        case linkReplaced
    }

    private let directory: TestDirectory
    private let clock = ManualClock()

    init() throws { directory = try TestDirectory() }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: directory(name), withIntermediateDirectories: false)
    }

    private func link(_ name: String, to target: String) throws {
        try #require(symlink(target, directory("new-link")) == 0)
        try #require(rename(directory("new-link"), directory(name)) == 0)
    }

    /// Returns the path of a file that can be changed in that way.
    private func make(_ way: Way) throws -> String {
        try makeDirectory("0")
        try directory.write("0", to: "0/file")
        switch way {
        case .kubelet:
            try link("..data", to: "0")
            try link("file", to: "..data/file")
            return directory("file")
        case .linkReplaced:
            try link("file", to: directory("0/file"))
            return directory("file")
        case .directoryAboveReplaced:
            try makeDirectory("0/a")
            return try directory.write("0", to: "0/a/file")
        case .inPlace, .replaced, .permissions, .removedAndMade, .directoryReplaced:
            return directory("0/file")
        }
    }

    private func change(_ way: Way, _ number: Int) throws {
        // The length differs each time: changes follow each other faster than the kernel's clock ticks.
        let content = String(repeating: "x", count: number + 1)
        switch way {
        case .inPlace: try directory.write(content, to: "0/file")
        case .replaced:
            try directory.write(content, to: "0/other")
            try #require(rename(directory("0/other"), directory("0/file")) == 0)
        case .permissions: try directory.setMode(number % 2 == 0 ? 0o600 : 0o640, of: "0/file")
        case .removedAndMade:
            try FileManager.default.removeItem(atPath: directory("0/file"))
            try directory.write(content, to: "0/file")
        case .kubelet, .linkReplaced:
            try makeDirectory("\(number)")
            try directory.write(content, to: "\(number)/file")
            if way == .kubelet { try link("..data", to: "\(number)") } else { try link("file", to: "\(number)/file") }
            try FileManager.default.removeItem(atPath: directory("\(number - 1)"))
        case .directoryReplaced:
            try makeDirectory("next")
            try directory.write(content, to: "next/file")
            try #require(rename(directory("0"), directory("old")) == 0)
            try #require(rename(directory("next"), directory("0")) == 0)
            try FileManager.default.removeItem(atPath: directory("old"))
        case .directoryAboveReplaced:
            for name in ["next", "next/a"] { try makeDirectory(name) }
            try directory.write(content, to: "next/a/file")
            // The one before stays as it is, which nobody needs to be told of.
            try #require(rename(directory("0"), directory("old-\(number)")) == 0)
            try #require(rename(directory("next"), directory("0")) == 0)
        }
    }

    /// Watches while `body` runs, which is given what is told.
    private func watching(
        _ body: (FileWatcher, AsyncStream<[String]>) async throws -> Void
    ) async throws {
        let watcher = try await FileWatcher(eventLoop: MultiThreadedEventLoopGroup.singleton.next(), clock: clock)
        let (changes, newChanges) = AsyncStream.makeStream(of: [String].self)
        async let running: Void = watcher.run(
            changed: { newChanges.yield($0) },
            failed: { Issue.record("\($0)") }
        )
        do {
            try await body(watcher, changes)
        } catch {
            Issue.record(error)
        }
        watcher.stop()
        await running
        await clock.end()
    }

    /// Lets time pass until something is told: an event that comes late begins the time of quiet anew.
    private func told(_ changes: AsyncStream<[String]>) async -> [String]? {
        let passing = Task { [clock] in
            while !Task.isCancelled { try await clock.expire(FileWatcher.quietTime) }
        }
        defer { passing.cancel() }
        return await next(of: changes)
    }

    @Test("A change is told after a time of quiet, and so is the next one", arguments: Way.allCases)
    func changes(_ way: Way) async throws {
        let path = try make(way)
        try await watching { watcher, changes in
            for number in 1...3 {
                watcher.watch([SeenFile(path)])
                try change(way, number)
                #expect(await told(changes) == [path])
            }
        }
    }

    @Test("A change from before the watch is told, too, and what has not changed is not")
    func before() async throws {
        let files = try ["one", "other"].map { SeenFile(try directory.write("", to: $0)) }
        try directory.write("!", to: "other")
        try await watching { watcher, changes in
            watcher.watch(files)
            #expect(await told(changes) == [directory("other")])
        }
    }

    @Test("A file that was seen at two times is told once")
    func seenTwice() async throws {
        let path = try directory.write("", to: "file")
        let first = SeenFile(path)
        try directory.write("!", to: "file")
        let second = SeenFile(path)
        try directory.write("!!", to: "file")
        try await watching { watcher, changes in
            watcher.watch([first, second])
            #expect(await told(changes) == [path])
        }
    }

    @Test("A file that is made where there was none, not even its directory, is told")
    func made() async throws {
        let (path, marker) = (directory("a/b/file"), try directory.write("", to: "marker"))
        try await watching { watcher, changes in
            watcher.watch([SeenFile(path), SeenFile(marker)])
            try directory.write("!", to: "marker")
            #expect(await told(changes) == [marker])
            // A directory on the way is no change, but a reason to look, and what has changed before is told again.
            for name in ["a", "a/b"] {
                try makeDirectory(name)
                #expect(await told(changes) == [marker])
            }
            try directory.write("", to: "a/b/file")
            #expect(await told(changes) == [path, marker])
        }
    }

    @Test("What changes but is as it was when it was last seen is not told")
    func seenSince() async throws {
        let path = try directory.write("", to: "file")
        let marker = try directory.write("", to: "marker")
        try await watching { watcher, changes in
            watcher.watch([SeenFile(path), SeenFile(marker)])
            try directory.write("!", to: "file")
            watcher.watch([SeenFile(path), SeenFile(marker)])
            try directory.write("!", to: "marker")
            #expect(await told(changes) == [marker])
        }
    }

    @Test("A directory that may not be read is told of once, and the others are watched")
    func unreadable() async throws {
        try makeDirectory("closed")
        try directory.write("", to: "closed/file", mode: 0o644)
        try directory.write("", to: "open", mode: 0o666)
        try directory.setMode(0o711, of: "closed")
        #expect(chmod(directory.path, 0o755) == 0)
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            // Root may read any directory.
            if geteuid() == 0 {
                try #require(setegid(65_534) == 0 && seteuid(65_534) == 0)
            } else {
                try #require(chmod(path + "/closed", 0o311) == 0)
            }
            let clock = ManualClock()
            let watcher = try await FileWatcher(eventLoop: MultiThreadedEventLoopGroup.singleton.next(), clock: clock)
            let (told, newTold) = AsyncStream.makeStream(of: String.self)
            async let running: Void = watcher.run(
                changed: { newTold.yield("changed: \($0.joined(separator: ", "))") },
                failed: { newTold.yield("\($0)") }
            )
            for _ in 0..<2 {
                watcher.watch([SeenFile(path + "/closed/file"), SeenFile(path + "/open")])
            }
            let failure = "The directory \(path)/closed cannot be watched for changes: permission denied."
            try #require(await next(of: told) == failure)
            try Data("!".utf8).write(to: URL(filePath: path + "/open"))
            try await clock.expire(FileWatcher.quietTime)
            try #require(await next(of: told) == "changed: \(path)/open")
            watcher.stop()
            await running
        }
        #expect(chmod(directory("closed"), 0o711) == 0)
    }
}

private func next<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
    for await element in stream.prefix(1) { return element }
    return nil
}
