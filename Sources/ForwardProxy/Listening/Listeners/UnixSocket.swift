import Files
import Glibc
import Settings
import SystemPackage

/// A listening socket in the file system (unix(7)).
///
/// A process that dies leaves its file behind, at which nobody answers. Such a file is replaced; one at which somebody
/// answers, or that is no socket, never is. While that is found out the directory is locked (flock(2)), so that of two
/// processes that start at once neither takes the other's new socket for one that was left behind.
struct UnixSocket: Sendable {
    /// The connections that may wait to be accepted, at every listener.
    static let backlog: Int32 = 1024

    let descriptor: CInt
    private let path: String
    /// The file as it was made.
    private let file: Directory.Stamp

    /// Makes a socket that its owner alone may connect to, and the directories that are missing, which are open to their
    /// owner alone.
    ///
    /// - Parameter lockTimeout: The longest time that its directory may be locked by others.
    static func listen(at path: String, lockTimeout: Duration = .seconds(5)) throws(UnixSocketError) -> UnixSocket {
        let directory = try lockedDirectory(of: path, timeout: lockTimeout)
        defer { directory.unlock() }
        let descriptor = try make(for: path)
        do throws(UnixSocketError) {
            try bind(descriptor, to: path, in: directory)
            guard Glibc.listen(descriptor, backlog) == 0 else {
                throw UnixSocketError(path: path, cause: .system(.last))
            }
            guard let file = stamp(of: path, in: directory) else {
                throw UnixSocketError(path: path, cause: .system(.noSuchFileOrDirectory))
            }
            return UnixSocket(descriptor: descriptor, path: path, file: file)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Removes the file, unless it is another one by now.
    func removeFile() { try? removeOwnFile() }

    private func removeOwnFile() throws(Errno) {
        let directory = try Directory(path: Directory.parent(of: path))
        let name = Directory.name(of: path)
        guard let found = try directory.stamp(of: name), found.isOfSameFile(as: file) else { return }
        try directory.remove(name)
    }

    private static func lockedDirectory(of path: String, timeout: Duration) throws(UnixSocketError) -> Directory {
        let parent = Directory.parent(of: path)
        do throws(Errno) {
            try Directory.create(path: parent)
            let directory = try Directory(path: parent)
            // Whoever keeps it longer has it for something else, and may be waiting for this process.
            if try directory.lock(within: timeout) { return directory }
        } catch {
            throw UnixSocketError(path: path, cause: .directory(error))
        }
        throw UnixSocketError(path: path, cause: .locked(parent))
    }

    /// The file itself, not one that a link leads to; nil where there is none to be seen.
    private static func stamp(of path: String, in directory: borrowing Directory) -> Directory.Stamp? {
        (try? directory.stamp(of: Directory.name(of: path))) ?? nil
    }

    private static func make(for path: String) throws(UnixSocketError) -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard descriptor >= 0 else { throw UnixSocketError(path: path, cause: .system(.last)) }
        // Before it has a name: the file has these rights from the beginning, with those of the umask taken away.
        guard fchmod(descriptor, 0o600) == 0 else {
            let cause = Errno.last
            Glibc.close(descriptor)
            throw UnixSocketError(path: path, cause: .system(cause))
        }
        return descriptor
    }

    private static func bind(
        _ descriptor: CInt,
        to path: String,
        in directory: borrowing Directory
    ) throws(UnixSocketError) {
        let first = call(Glibc.bind, descriptor, path)
        guard first == .addressInUse else {
            if let first { throw UnixSocketError(path: path, cause: .system(first)) }
            return
        }
        guard let found = stamp(of: path, in: directory), found.isSocket else {
            throw UnixSocketError(path: path, cause: .otherFile)
        }
        let probe = try make(for: path)
        defer { Glibc.close(probe) }
        switch call(Glibc.connect, probe, path) {
        case .connectionRefused: break
        // With as many connections as may wait, somebody listens as well.
        case nil, .resourceTemporarilyUnavailable: throw UnixSocketError(path: path, cause: .inUse)
        case let other?: throw UnixSocketError(path: path, cause: .system(other))
        }
        do throws(Errno) {
            try directory.remove(Directory.name(of: path))
        } catch {
            throw UnixSocketError(path: path, cause: .system(error))
        }
        if let second = call(Glibc.bind, descriptor, path) { throw UnixSocketError(path: path, cause: .system(second)) }
    }

    /// Calls bind(2) or connect(2) with the path, which is in the structure with the byte that ends it.
    ///
    /// - Returns: The error; nil: there is none.
    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt,
        _ descriptor: CInt,
        _ path: String
    ) -> Errno? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count <= ListenAddress.mostPathBytes, !bytes.contains(0) else { return .fileNameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return status == 0 ? nil : .last
    }
}
