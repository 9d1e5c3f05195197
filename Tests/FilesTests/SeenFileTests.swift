import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("Files that change", .generousLimit, .timed)
struct SeenFileTests {
    let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    @Test("are told from those that do not: written, replaced, with other permissions, removed, made")
    func changes() throws {
        let path = try directory.write("one", to: "file")
        func changes(_ change: () throws -> Void) rethrows -> Bool {
            let seen = SeenFile(path)
            guard !seen.hasChanged else { return false }
            try change()
            return seen.hasChanged
        }
        #expect(changes {} == false)
        #expect(try changes { try directory.write("other", to: "file") })
        #expect(
            try changes {
                try directory.write("next!", to: "new")
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: directory("new"), toPath: path)
            }
        )
        #expect(try changes { try directory.setMode(0o640, of: "file") })
        #expect(SeenFile(path).isThere)
        #expect(try changes { try FileManager.default.removeItem(atPath: path) })
        #expect(!SeenFile(path).isThere)
        #expect(try changes { try directory.write("again", to: "file") })
    }

    @Test("A link leads to another file")
    func link() throws {
        for name in ["old", "new"] { try directory.write(name, to: name) }
        #expect(symlink("old", directory("link")) == 0)
        let seen = SeenFile(directory("link"))
        #expect(symlink("new", directory("next")) == 0 && rename(directory("next"), directory("link")) == 0)
        #expect(seen.hasChanged)
    }

    @Test("A FIFO does not change")
    func fifo() throws {
        #expect(mkfifo(directory("fifo"), 0o600) == 0)
        let seen = SeenFile(directory("fifo"))
        #expect(chmod(directory("fifo"), 0o640) == 0)
        #expect(!seen.hasChanged)
    }
}
