import Glibc
package import SystemPackage

/// Whole files by their paths. Links are followed: such a path is the operator's own.
package enum FileContents {
    package static func exists(_ path: String) -> Bool {
        unsafe isPath(path) && access(path, F_OK) == 0
    }

    package static func isReadable(_ path: String) -> Bool {
        unsafe isPath(path) && access(path, R_OK) == 0
    }

    package static func isExecutable(_ path: String) -> Bool {
        unsafe isPath(path) && access(path, X_OK) == 0
    }

    /// Returns whether a path is that of something else than a folder, or leads through such, as far as it is there.
    package static func isBelowFile(_ path: String) -> Bool {
        var part = path[...]
        while !part.isEmpty {
            var status = stat()
            if unsafe isPath(path) && stat(String(part), &status) == 0 { return status.st_mode & S_IFMT != S_IFDIR }
            guard let slash = part.lastIndex(of: "/") else { return false }
            part = part[..<slash]
        }
        return false
    }

    /// Its permission bits and owner; nil when it is not there.
    package static func rights(_ path: String) -> FileRights? {
        var status = stat()
        return unsafe isPath(path) && stat(path, &status) == 0 ? FileRights(status) : nil
    }

    /// - Parameter waitsForWriter: Whether to wait until somebody opens a FIFO for writing, as `cat` does. Otherwise
    ///   one that nobody writes to is empty.
    /// - Throws: `Errno.fileTooLarge` when there are more bytes than `limit`.
    package static func read(
        _ path: String,
        limit: Int = .max,
        waitsForWriter: Bool = true
    ) throws(Errno) -> [UInt8] {
        let options: FileDescriptor.OpenOptions = waitsForWriter ? .closeOnExec : [.closeOnExec, .nonBlocking]
        return try with(path, .readOnly, options) { file throws(Errno) in
            // Only the opening is not to wait.
            if !waitsForWriter { _ = fcntl(file.rawValue, F_SETFL, 0) }
            return try file.readAll(limit: limit)
        }
    }

    /// Returns as many bytes of a file's beginning as are had at once; none of an empty file.
    package static func readBeginning(of path: String) throws(Errno) -> [UInt8] {
        try with(path, .readOnly, .closeOnExec) { file throws(Errno) in try file.readPiece() ?? [] }
    }

    /// Writes over what there is, or makes the file.
    ///
    /// - Parameter mode: The mode of a file that is made, without the bits of the umask.
    package static func write(_ bytes: [UInt8], to path: String, mode: FilePermissions) throws(Errno) {
        try with(path, .writeOnly, [.create, .truncate, .closeOnExec], mode) { file throws(Errno) in
            try file.write(all: bytes)
        }
    }

    /// Opens a file, whose owner alone may read it where it is made, for more to be written at its end. Nothing waits
    /// until somebody reads a FIFO.
    ///
    /// - Throws: `Errno.noSuchAddressOrDevice` for a FIFO that nobody reads.
    package static func append(to path: String) throws(Errno) -> FileDescriptor {
        let options: FileDescriptor.OpenOptions = [.create, .append, .closeOnExec, .nonBlocking]
        let file = try open(path, .writeOnly, options, .ownerReadWrite)
        // Only the opening is not to wait.
        _ = fcntl(file.rawValue, F_SETFL, O_APPEND)
        return file
    }

    private static func with<Value>(
        _ path: String,
        _ mode: FileDescriptor.AccessMode,
        _ options: FileDescriptor.OpenOptions,
        _ permissions: FilePermissions? = nil,
        _ body: (FileDescriptor) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        let file = try open(path, mode, options, permissions)
        defer { try? file.close() }
        return try body(file)
    }

    private static func open(
        _ path: String,
        _ mode: FileDescriptor.AccessMode,
        _ options: FileDescriptor.OpenOptions,
        _ permissions: FilePermissions? = nil
    ) throws(Errno) -> FileDescriptor {
        guard isPath(path) else { throw .noSuchFileOrDirectory }
        do {
            return try FileDescriptor.open(FilePath(path), mode, options: options, permissions: permissions)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// The system would take what precedes a byte 0 for the path.
    private static func isPath(_ path: String) -> Bool { !path.utf8.contains(0) }
}
