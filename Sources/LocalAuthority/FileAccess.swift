import Glibc

/// The few system calls that the CA's files need. All of this target's unsafe code is here: each pointer lives only for
/// the call that it is made for.
enum FileAccess {
    /// A CA's certificate or key is far smaller.
    private static let maximumBytes = 65_536

    /// An open file that closes itself.
    struct Descriptor: ~Copyable {
        let raw: Int32

        deinit { close(raw) }
    }

    /// The whole of a file and its permission bits; nil when there is none.
    static func read(_ path: String) throws(LocalAuthorityError) -> (bytes: [UInt8], mode: UInt32)? {
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else {
            if errno == ENOENT { return nil }
            throw .cannotAccess(path: path, action: "read", errno: errno)
        }
        let file = Descriptor(raw: raw)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else {
            throw .cannotAccess(path: path, action: "read", errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotAccess(path: path, action: "read", errno: EISDIR)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(file.raw, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannotAccess(path: path, action: "read", errno: errno) }
            guard count > 0 else { return (bytes, status.st_mode & 0o7777) }
            bytes += buffer[..<count]
            guard bytes.count <= maximumBytes else {
                throw .cannotAccess(path: path, action: "read", errno: EFBIG)
            }
        }
    }

    /// Writes a file that did not exist, with exactly this mode, and waits until it is on the disk.
    static func create(_ path: String, bytes: [UInt8], mode: UInt32) throws(LocalAuthorityError) {
        let raw = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard raw >= 0 else { throw .cannotAccess(path: path, action: "create", errno: errno) }
        let file = Descriptor(raw: raw)
        // The mode of open() passes through the umask.
        guard fchmod(file.raw, mode) == 0 else {
            throw .cannotAccess(path: path, action: "set the mode of", errno: errno)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(file.raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannotAccess(path: path, action: "write", errno: errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(file.raw) == 0 else { throw .cannotAccess(path: path, action: "write", errno: errno) }
    }

    static func rename(_ path: String, to newPath: String) throws(LocalAuthorityError) {
        guard unsafe Glibc.rename(path, newPath) == 0 else {
            throw .cannotAccess(path: newPath, action: "create", errno: errno)
        }
    }

    /// It need not exist.
    static func remove(_ path: String) throws(LocalAuthorityError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .cannotAccess(path: path, action: "remove", errno: errno)
        }
    }

    /// Makes a directory and those above it as far as they are missing, for this user alone.
    static func createDirectory(_ path: String) throws(LocalAuthorityError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != parent(of: path) else {
            throw .cannotAccess(path: path, action: "create the directory", errno: errno)
        }
        try createDirectory(parent(of: path))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .cannotAccess(path: path, action: "create the directory", errno: errno)
        }
    }

    static func openDirectory(_ path: String) throws(LocalAuthorityError) -> Descriptor {
        let raw = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw .cannotAccess(path: path, action: "open the directory", errno: errno) }
        return Descriptor(raw: raw)
    }

    /// Waits for whoever else is making a CA here. The lock goes with the descriptor. A file system that knows no locks
    /// leaves it to the operator not to start two processes on a new directory at once.
    static func lock(_ directory: borrowing Descriptor) {
        while flock(directory.raw, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Waits until the names in a directory are on the disk.
    static func synchronize(_ directory: borrowing Descriptor, path: String) throws(LocalAuthorityError) {
        guard fsync(directory.raw) == 0 || errno == EINVAL else {
            throw .cannotAccess(path: path, action: "write the directory", errno: errno)
        }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
