import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("The way that a path leads", .generousLimit, .timed)
struct PathTrailTests {
    let directory: TestDirectory
    /// The directory's path without the links that lead to the directory of temporary files.
    let root: String

    init() throws {
        directory = try TestDirectory()
        root = URL(filePath: directory.path).resolvingSymlinksInPath().path
    }

    private func entries(_ path: String) -> [String] {
        PathTrail(path).entries.filter { !path.hasPrefix("/") || $0.directory.hasPrefix(root) }
            .map { "\($0.directory.replacing(root, with: "")):\($0.name)\($0.isDirectory ? "/" : "")" }
    }

    private func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    }

    @Test("A file is an entry of its directory, and that of the one above")
    func file() throws {
        try makeDirectory("a/b")
        try directory.write("", to: "a/b/file")
        #expect(entries("\(root)/a/b/file") == [":a/", "/a:b/", "/a/b:file"])
        #expect(entries("\(root)//a/./b/../b/file") == [":a/", "/a:b/", "/a/b/..:b/", "/a/b/../b:file"])
        #expect(entries("\(root)/a/b") == [":a/", "/a:b/"])
    }

    @Test("The kubelet's links are each an entry")
    func kubelet() throws {
        try makeDirectory("..2026")
        try directory.write("", to: "..2026/token")
        #expect(symlink("..2026", root + "/..data") == 0)
        #expect(symlink("..data/token", root + "/token") == 0)
        #expect(entries("\(root)/token") == [":token", ":..data", ":..2026/", "/..2026:token"])
    }

    @Test("A link to a path from the root")
    func absolute() throws {
        try makeDirectory("a")
        try directory.write("", to: "a/file")
        #expect(symlink(root + "/a", root + "/link") == 0)
        #expect(entries("\(root)/link/file") == [":link", ":a/", "/a:file"])
    }

    @Test("What is missing is the last")
    func missing() throws {
        #expect(entries("\(root)/none") == [":none"])
        #expect(entries("\(root)/none/below") == [":none"])
        try directory.write("", to: "file")
        #expect(entries("\(root)/file/below") == [":file"])
    }

    @Test("A relative path begins at the working directory")
    func relative() {
        #expect(entries("there-is-none") == [".:there-is-none"])
    }

    @Test("Links in a circle end")
    func circle() {
        #expect(symlink("b", root + "/a") == 0)
        #expect(symlink("a", root + "/b") == 0)
        #expect(entries("\(root)/a").count == 41)
    }
}
