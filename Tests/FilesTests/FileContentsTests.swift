import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Files

@Suite("Whole files", .generousLimit, .timed)
struct FileContentsTests {
    let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    @Test("are read up to a limit", arguments: [0, 1, 65_535, 65_536, 200_000])
    func limit(count: Int) throws {
        let path = try directory.write(String(repeating: "z", count: count), to: "file")
        #expect(try FileContents.read(path, limit: count).count == count)
        guard count > 0 else { return }
        #expect(throws: Errno.fileTooLarge) { try FileContents.read(path, limit: count - 1) }
    }

    @Test("are read as far as is had at once", arguments: [0, 1, 200_000])
    func beginning(count: Int) throws {
        let path = try directory.write(String(repeating: "z", count: count), to: "file")
        let bytes = try FileContents.readBeginning(of: path)
        #expect(bytes.isEmpty == (count == 0))
        #expect(bytes.count <= count && bytes.allSatisfy { $0 == UInt8(ascii: "z") })
        #expect(throws: Errno.noSuchFileOrDirectory) { try FileContents.readBeginning(of: directory("absent")) }
    }

    @Test("are programs where their mode says so", arguments: [(0o644, false), (0o755, true)] as [(mode_t, Bool)])
    func executable(mode: mode_t, isProgram: Bool) throws {
        #expect(FileContents.isExecutable(try directory.write("", to: "file", mode: mode)) == isProgram)
        #expect(!FileContents.isExecutable(directory("absent")))
    }

    @Test("that cannot be had have a reason each")
    func reasons() throws {
        try directory.write("x", to: "file")
        for (path, reason) in [
            (directory("absent"), "there is no such file or directory"),
            (directory("file") + "\0more", "there is no such file or directory"),
            (directory("file/below"), "a part of the path is not a directory"),
            (directory.path, "it is a directory"),
        ] {
            let error = #expect(throws: Errno.self) { try FileContents.read(path) }
            #expect(error?.reason == reason)
        }
    }

    @Test("A FIFO that nobody writes to is empty for whoever does not wait")
    func silentFIFO() throws {
        #expect(mkfifo(directory("fifo"), 0o600) == 0)
        #expect(try FileContents.read(directory("fifo"), waitsForWriter: false).isEmpty)
    }

    @Test("A FIFO that nobody reads is not waited for, and one that somebody reads is written like a file")
    func unreadFIFO() throws {
        let path = directory("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: Errno.self) { try FileContents.append(to: path) }
        #expect(error?.reason == "it is a FIFO that nobody reads, or a socket")
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let writer = try FileContents.append(to: path)
        #expect(fcntl(writer.rawValue, F_GETFL) & O_NONBLOCK == 0)
        try writer.close()
    }

    @Test("are written over, and keep their modes")
    func writing() throws {
        try directory.write("a longer text", to: "file", mode: 0o640)
        try FileContents.write(Array("text".utf8), to: directory("file"), mode: .ownerReadWrite)
        try FileContents.write(Array("text".utf8), to: directory("new"), mode: .ownerReadWrite)
        for (name, mode) in [("file", 0o640), ("new", 0o600)] as [(String, UInt32)] {
            #expect(try FileContents.read(directory(name)) == Array("text".utf8))
            #expect(FileContents.rights(directory(name))?.mode == mode)
        }
    }

    @Test("Appending keeps what is there")
    func appending() throws {
        for _ in 0..<2 {
            let file = try FileContents.append(to: directory("log"))
            try file.write(all: Array("line\n".utf8))
            try file.close()
        }
        #expect(try FileContents.read(directory("log")) == Array("line\nline\n".utf8))
        #expect(directory.mode("log") == 0o600)
    }
}
