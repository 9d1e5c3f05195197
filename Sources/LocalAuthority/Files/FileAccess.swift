import Files
import SystemPackage

/// A CA's files, with what is told of one that cannot be had.
enum FileAccess {
    /// The anchors of a CA for some thousand hosts are smaller.
    private static let maximumBytes = 1 << 20

    /// The whole of a file, and who may read it; nil when there is none.
    static func read(_ path: String) throws(LocalAuthorityError) -> (bytes: [UInt8], rights: FileRights)? {
        let content: Directory.Content<[UInt8]>
        do throws(Errno) {
            content = try Directory(path: Directory.parent(of: path))
                .read(Directory.name(of: path), limit: maximumBytes, followingLinks: true) { bytes in
                    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
                }
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw .cannotAccess(path: path, action: "read", reason: error.reason)
        }
        switch content {
        case .missing: return nil
        case .read(let bytes, let rights): return (bytes, rights)
        case .notAFile: throw .cannotAccess(path: path, action: "read", reason: "it is not a regular file")
        case .oversized: throw .cannotAccess(path: path, action: "read", reason: Errno.fileTooLarge.reason)
        }
    }

    /// Writes a file that did not exist, with exactly this mode, and waits until it is on the disk.
    static func create(_ path: String, bytes: [UInt8], mode: UInt32) throws(LocalAuthorityError) {
        try attempt("create", path) { () throws(Errno) in
            try Directory(path: Directory.parent(of: path))
                .create(Directory.name(of: path), bytes: bytes.span, mode: mode)
        }
    }

    static func rename(_ path: String, to newPath: String) throws(LocalAuthorityError) {
        try attempt("create", newPath) { () throws(Errno) in
            try Directory(path: Directory.parent(of: path)).move(
                Directory.name(of: path),
                to: Directory(path: Directory.parent(of: newPath)),
                as: Directory.name(of: newPath)
            )
        }
    }

    /// Removes a file, which need not exist.
    static func remove(_ path: String) throws(LocalAuthorityError) {
        try attempt("remove", path) { () throws(Errno) in
            _ = try Directory(path: Directory.parent(of: path)).remove(Directory.name(of: path))
        }
    }

    /// Makes a directory and those above it as far as they are missing, for this user alone.
    static func createDirectory(_ path: String) throws(LocalAuthorityError) {
        try attempt("create the directory", path) { () throws(Errno) in try Directory.create(path: path) }
    }

    static func openDirectory(_ path: String) throws(LocalAuthorityError) -> Directory {
        do throws(Errno) {
            return try Directory(path: path)
        } catch {
            throw .cannotAccess(path: path, action: "open the directory", reason: error.reason)
        }
    }

    /// Opens a directory as ``openDirectory(_:)`` does, and waits for whoever else is making a CA there. The lock goes
    /// with the directory. A file system that knows no locks leaves it to the operator not to start two processes on a
    /// new directory at once.
    static func lockDirectory(_ path: String) throws(LocalAuthorityError) -> Directory {
        let directory = try openDirectory(path)
        _ = directory.lock(.exclusive)
        return directory
    }

    /// Waits until the names in a directory are on the disk.
    static func synchronize(_ directory: borrowing Directory, path: String) throws(LocalAuthorityError) {
        do throws(Errno) {
            try directory.sync()
        } catch {
            // Some file systems have nothing to do for that.
            guard error == .invalidArgument else {
                throw .cannotAccess(path: path, action: "write the directory", reason: error.reason)
            }
        }
    }

    private static func attempt(
        _ action: String,
        _ path: String,
        _ body: () throws(Errno) -> Void
    ) throws(LocalAuthorityError) {
        do throws(Errno) {
            try body()
        } catch {
            throw .cannotAccess(path: path, action: action, reason: error.reason)
        }
    }
}
