import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Files

@Suite("Directories", .generousLimit, .timed)
struct DirectoryTests {
    let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    @Test("and those above them are made for their owner alone")
    func creation() throws {
        try Directory.create(path: directory("a/b/c"), mode: 0o500)
        #expect(["a", "a/b", "a/b/c"].map { directory.mode($0) } == [0o700, 0o700, 0o500])
        try Directory.create(path: directory("a/b/c"))
        #expect(directory.mode("a/b/c") == 0o500)
        try directory.write("", to: "file")
        #expect(throws: Errno.notDirectory) { try Directory.create(path: directory("file/d")) }
    }

    @Test(
        "A path has a parent and a name",
        arguments: [
            ("/a/b", "/a", "b"), ("/a//b/", "/a", "b"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", "."),
            ("", ".", "."),
        ]
    )
    func parts(path: String, parent: String, name: String) {
        #expect(Directory.parent(of: path) == parent)
        #expect(Directory.name(of: path) == name)
    }

    @Test("What is removed goes with all that is in it, whatever its names are; what a link leads to stays")
    func removal() throws {
        try directory.write("kept", to: "file")
        try Directory.create(path: directory("a/b/c"))
        try directory.write("", to: "a/b/file")
        symlink(directory("file"), directory("a/b/link"))
        symlink(directory.path, directory("a/b/c/link"))
        close(open(Array("\(directory("a/b"))/".utf8CString.dropLast()) + [-1, 0], O_CREAT | O_WRONLY, 0o600))
        try Directory.removeAll(path: directory("a/b/link"))
        let names = try Directory(path: directory("a/b")).names().sorted()
        #expect(names == ["c", "file"])
        try Directory.removeAll(path: directory("a"))
        #expect(try directory.names == ["file"])
        #expect(throws: Errno.noSuchFileOrDirectory) { try Directory.removeAll(path: directory("a")) }
    }

    @Test("A lock is waited for as long as is said")
    func timedLock() throws {
        let one = try Directory(path: directory.path)
        let other = try Directory(path: directory.path)
        var isLocked = try one.lock(within: .zero)
        #expect(isLocked)
        isLocked = try other.lock(within: .milliseconds(20))
        #expect(!isLocked)
        one.unlock()
        isLocked = try other.lock(within: .zero)
        #expect(isLocked)
    }

    @Test("A relative path is taken from the working directory, an absolute one as it is")
    func absolutePath() {
        #expect(Directory.absolutePath(of: "/a/b") == "/a/b")
        #expect(Directory.absolutePath(of: "a/b") == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test("A file is replaced as a whole, with its mode, and nothing is left beside it", arguments: [false, true])
    func replacement(isSynced: Bool) throws {
        try directory.write("old", to: "file", mode: 0o644)
        let opened = try Directory(path: directory.path)
        let bytes = Array("new".utf8)
        try opened.replace("file", with: bytes.span, mode: 0o640, isSynced: isSynced)
        #expect(try FileContents.read(directory("file")) == Array("new".utf8))
        #expect(try directory.names == ["file"] && directory.mode("file") == 0o640)
        try FileManager.default.createDirectory(atPath: directory("taken"), withIntermediateDirectories: false)
        #expect(throws: Errno.isDirectory) {
            let bytes = Array("new".utf8)
            return try Directory(path: directory.path)
                .replace("taken", with: bytes.span, mode: 0o600, isSynced: isSynced)
        }
        #expect(try directory.names == ["file", "taken"])
    }

    @Test("Names are neither paths nor links to follow")
    func links() throws {
        try directory.write("x", to: "file")
        try FileManager.default.createSymbolicLink(atPath: directory("link"), withDestinationPath: "file")
        let opened = try Directory(path: directory.path)
        guard case .notAFile = try opened.read("link", limit: 9, { $0.count }) else {
            Issue.record("a link was followed")
            return
        }
        guard case .read(1, let rights) = try opened.read("link", limit: 9, followingLinks: true, { $0.count }) else {
            Issue.record("a link was not followed")
            return
        }
        #expect(rights == FileRights(mode: 0o600, owner: geteuid(), group: getegid()))
    }
}
