import Foundation
import Glibc
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A Unix domain socket to listen on")
struct UnixSocketTests {
    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Leaves a socket as a process does that dies. Another process that is being started has a copy for a moment.
    private func die(_ socket: UnixSocket) {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        close(socket.descriptor)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("is its owner's alone, as are the directories that were missing, and goes when it is no more listened on")
    func isOwners() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/run/proxy.sock"
        let socket = try UnixSocket.listen(at: path)
        defer { close(socket.descriptor) }
        #expect(try mode(of: path) == 0o600)
        #expect(try mode(of: "\(directory.path)/run") == 0o700)
        socket.removeFile()
        #expect(!isThere(path))
    }

    @Test("takes the place of one that a process left behind")
    func replacesStale() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/proxy.sock"
        die(try UnixSocket.listen(at: path))
        #expect(isThere(path))
        let socket = try UnixSocket.listen(at: path)
        close(socket.descriptor)
    }

    @Test("does not take the place of one at which somebody answers")
    func keepsLive() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/proxy.sock"
        let first = try UnixSocket.listen(at: path)
        defer { close(first.descriptor) }
        #expect(throws: UnixSocketError(path: path, cause: .inUse)) { try UnixSocket.listen(at: path) }
        #expect(isThere(path))
    }

    @Test("does not wait for long until others let go of its directory")
    func lockedDirectory() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/proxy.sock"
        let other = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        #expect(throws: UnixSocketError(path: path, cause: .locked(directory.path))) {
            try UnixSocket.listen(at: path, lockTimeout: .zero)
        }
        close(other)
        close(try UnixSocket.listen(at: path).descriptor)
    }

    @Test("does not take the place of what is no socket, nor of what a link leads to")
    func keepsFiles() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/proxy.sock"
        try Data("kept".utf8).write(to: URL(filePath: path))
        #expect(throws: UnixSocketError(path: path, cause: .otherFile)) { try UnixSocket.listen(at: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
        let link = "\(directory.path)/link.sock"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: UnixSocketError(path: link, cause: .otherFile)) { try UnixSocket.listen(at: link) }
    }

    @Test("is not removed when another one has its name by then")
    func keepsSuccessor() throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/proxy.sock"
        let first = try UnixSocket.listen(at: path)
        // A second name: the number of its file is not given to another one.
        try FileManager.default.linkItem(atPath: path, toPath: "\(directory.path)/kept.sock")
        die(first)
        let second = try UnixSocket.listen(at: path)
        defer { close(second.descriptor) }
        first.removeFile()
        #expect(isThere(path))
        second.removeFile()
        #expect(!isThere(path))
    }
}
