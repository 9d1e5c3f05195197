import Glibc
package import SystemPackage

/// A directory held open, and system calls that are made inside it.
///
/// The C library's functions take pointers. Every pointer here is one that Swift lends for the length of the call, with
/// the length that goes with it.
///
/// Names are taken inside the open directory, are never paths, and are never followed when they are symbolic links.
package struct Directory: ~Copyable {
    private static let ownName = Array(".".utf8CString)
    private static let parentName = Array("..".utf8CString)

    private let descriptor: Int32

    /// Opens a directory. The path itself may be a link: it is the operator's own.
    package init(path: String) throws(Errno) {
        descriptor = try check { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    /// Opens a directory inside another one; makes it, 0700, when it does not exist.
    package init(_ name: String, in parent: borrowing Directory) throws(Errno) {
        let parent = parent.descriptor
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let existing = unsafe openat(parent, name, flags)
        if existing >= 0 {
            descriptor = existing
        } else {
            guard errno == ENOENT else { throw Errno.last }
            guard unsafe mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else { throw Errno.last }
            descriptor = try check { unsafe openat(parent, name, flags) }
        }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The permission bits.
    package func mode() throws(Errno) -> UInt32 {
        try Self.status(of: descriptor).st_mode & 0o7777
    }

    /// Makes what was renamed or removed in it last through a power failure.
    package func sync() throws(Errno) {
        try check { fsync(descriptor) }
    }

    // MARK: Files

    /// The content of what a name stands for.
    package enum Content<Value> {
        case missing
        case notAFile
        case oversized
        case read(Value, rights: FileRights)
    }

    /// Reads a whole file, of at most `limit` bytes. They are lent to `body` and then wiped.
    package func read<Value>(
        _ name: String,
        limit: Int,
        followingLinks: Bool = false,
        _ body: (Span<UInt8>) -> Value
    ) throws(Errno) -> Content<Value> {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
        let file = unsafe openat(descriptor, name, flags)
        if file < 0 {
            switch errno {
            case ENOENT: return .missing
            case ELOOP, ENXIO: return .notAFile
            default: throw Errno.last
            }
        }
        defer { close(file) }
        let status = try Self.status(of: file)
        guard status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
        guard status.st_size <= limit else { return .oversized }
        // One byte more than there are, should the file grow meanwhile.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        defer {
            unsafe bytes.withUnsafeMutableBytes { buffer in
                if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
            }
        }
        var count = 0
        while count < bytes.count {
            let step = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            if step == 0 { break }
            if step > 0 { count += step } else if errno != EINTR { throw Errno.last }
        }
        guard count < bytes.count else { throw .resourceTemporarilyUnavailable }
        return .read(body(bytes.span.extracting(..<count)), rights: FileRights(status))
    }

    /// The text that separates a temporary name's random part from the name which it begins with.
    package static let temporaryMark = ".new-"

    /// A name that nobody has used or will, at most 21 bytes longer than the other one.
    package static func temporaryName(for name: String) -> String {
        var generator = SystemRandomNumberGenerator()
        return name + temporaryMark + String(generator.next(), radix: 16)
    }

    /// Makes a file that does not exist.
    /// - Parameters:
    ///   - mode: Its permission bits, whatever the umask is.
    ///   - isSynced: Whether its bytes are on the disk when the call returns; otherwise ``sync(_:)`` is needed.
    package func create(
        _ name: String,
        bytes: Span<UInt8>,
        mode: UInt32 = 0o600,
        isSynced: Bool = true
    ) throws(Errno) {
        let file = try check {
            unsafe openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        }
        defer { close(file) }
        try check { fchmod(file, mode) }
        if let error = FileDescriptor(rawValue: file).write(bytes).error { throw error }
        if isSynced { try check { fsync(file) } }
    }

    /// Returns when the bytes of a file are on the disk.
    package func sync(_ name: String) throws(Errno) {
        let file = try check { unsafe openat(descriptor, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        defer { close(file) }
        try check { fsync(file) }
    }

    /// Puts a file in place of whatever has its name, as a whole: it is written in another directory of the same file
    /// system and moved. Returns when it lasts; when it throws, the one before is there, or (the sync having failed)
    /// the new one.
    package func replace(
        _ name: String,
        with bytes: Span<UInt8>,
        madeIn temporaries: borrowing Directory
    ) throws(Errno) {
        let temporary = Self.temporaryName(for: name)
        do throws(Errno) {
            try temporaries.create(temporary, bytes: bytes)
            try temporaries.move(temporary, to: self, as: name)
        } catch {
            _ = try? temporaries.remove(temporary)
            throw error
        }
        try sync()
    }

    /// The same, written in this directory.
    ///
    /// - Parameters:
    ///   - mode: Its permission bits, whatever the umask is.
    ///   - isSynced: Whether it lasts when the call returns.
    package func replace(_ name: String, with bytes: Span<UInt8>, mode: UInt32, isSynced: Bool) throws(Errno) {
        let temporary = Self.temporaryName(for: name)
        do throws(Errno) {
            try create(temporary, bytes: bytes, mode: mode, isSynced: isSynced)
            let own = descriptor
            try check { unsafe renameat(own, temporary, own, name) }
        } catch {
            _ = try? remove(temporary)
            throw error
        }
        if isSynced { try sync() }
    }

    /// Takes a file out of this directory for good, by way of another one of the same file system. Returns when it
    /// lasts. Returns false when there is no such file.
    package func remove(_ name: String, by temporaries: borrowing Directory) throws(Errno) -> Bool {
        let temporary = Self.temporaryName(for: name)
        do throws(Errno) {
            try move(name, to: temporaries, as: temporary)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return false
        }
        try temporaries.remove(temporary)
        try sync()
        return true
    }

    /// Gives a file another name, in this directory or another one, in place of whatever has that name.
    package func move(_ name: String, to other: borrowing Directory, as newName: String) throws(Errno) {
        let (source, target) = (descriptor, other.descriptor)
        try check { unsafe renameat(source, name, target, newName) }
    }

    /// Gives a file a second name. Returns false when something has that name already.
    @discardableResult
    package func link(_ name: String, as newName: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try check { unsafe linkat(descriptor, name, descriptor, newName, 0) }
            return true
        } catch {
            guard error == .fileExists else { throw error }
            return false
        }
    }

    /// Returns false when there is no such file.
    @discardableResult
    package func remove(_ name: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try check { unsafe unlinkat(descriptor, name, 0) }
            return true
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return false
        }
    }

    /// Removes a file, or a directory with all that is in it; a link, and not what it leads to.
    package func removeAll(_ name: String) throws(Errno) {
        try Self.removeAll(Array(name.utf8CString), in: descriptor)
    }

    private static func removeAll(_ name: [CChar], in parent: Int32) throws(Errno) {
        if unsafe unlinkat(parent, name, 0) == 0 { return }
        guard errno == EISDIR else { throw Errno.last }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let directory = Directory(descriptor: try check { unsafe openat(parent, name, flags) })
        for entry in try directory.entries() { try removeAll(entry, in: directory.descriptor) }
        try check { unsafe unlinkat(parent, name, AT_REMOVEDIR) }
    }

    /// The names in it that are UTF-8, in no order.
    package func names() throws(Errno) -> [String] {
        try entries().compactMap { entry in
            String(validating: entry.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// All names in it but its own and its parent's, each with the byte 0 that ends it.
    private func entries() throws(Errno) -> [[CChar]] {
        // The stream takes its descriptor over, so it gets one of its own.
        let own = try check { unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = unsafe fdopendir(own) else {
            let error = Errno.last
            close(own)
            throw error
        }
        defer { unsafe closedir(stream) }
        var entries: [[CChar]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw Errno.last }
                return entries
            }
            // The kernel ends every name with a zero byte, inside the array.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if name != Self.ownName, name != Self.parentName { entries.append(name) }
        }
    }

    // MARK: Locks

    package enum Lock {
        /// Waits its turn.
        case shared
        /// Waits its turn, too.
        case exclusive
        /// The lock is had at once or not at all.
        case exclusiveAtOnce
    }

    /// Locks the directory against other processes, and other ``Directory`` values of this one, until this value ends
    /// or is unlocked. Returns false when there is none to be had.
    package func lock(_ lock: Lock) -> Bool {
        let operation =
            switch lock {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX
            case .exclusiveAtOnce: LOCK_EX | LOCK_NB
            }
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Locks it for this value alone as soon as others let go of it. Blocks.
    ///
    /// - Returns: False when they have not for as long as `timeout`.
    package func lock(within timeout: Duration) throws(Errno) -> Bool {
        let end = ContinuousClock.now + timeout
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let error = Errno.last
            guard error == .wouldBlock || error == .interrupted else { throw error }
            guard ContinuousClock.now < end else { return false }
            // Nothing tells that a lock has ended, but to a thread that waits for it without end.
            usleep(10_000)
        }
        return true
    }

    package func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Opens the file that a ``NumberLock`` is in.
    func descriptor(ofLockFile name: String) throws(Errno) -> Int32 {
        try check { unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }

    // MARK: Stamps

    /// A mark of a file that is different when it was replaced or written.
    package struct Stamp: Equatable, Sendable {
        fileprivate let status: stat

        package var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
        package var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
        package var isSymbolicLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
        package var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }

        /// Returns whether the file is the same one, whatever was written to it, and whatever its name is.
        package func isOfSameFile(as other: Stamp) -> Bool {
            status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
        }

        package static func == (one: Stamp, other: Stamp) -> Bool {
            let (one, other) = (one.status, other.status)
            return one.st_dev == other.st_dev && one.st_ino == other.st_ino && one.st_size == other.st_size
                && one.st_mode == other.st_mode
                && one.st_mtim.tv_sec == other.st_mtim.tv_sec && one.st_mtim.tv_nsec == other.st_mtim.tv_nsec
                && one.st_ctim.tv_sec == other.st_ctim.tv_sec && one.st_ctim.tv_nsec == other.st_ctim.tv_nsec
        }
    }

    /// Returns nil when there is no such file.
    package func stamp(of name: String) throws(Errno) -> Stamp? {
        try Self.stamp { unsafe fstatat(descriptor, name, &$0, AT_SYMLINK_NOFOLLOW) }
    }

    /// Returns nil when there is no such file.
    package static func stamp(path: String, followingLinks: Bool = true) throws(Errno) -> Stamp? {
        try stamp { unsafe fstatat(AT_FDCWD, path, &$0, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
    }

    package static func stamp(of file: FileDescriptor) throws(Errno) -> Stamp {
        Stamp(status: try status(of: file.rawValue))
    }

    private static func stamp(_ call: (inout stat) -> Int32) throws(Errno) -> Stamp? {
        var status = stat()
        do throws(Errno) {
            try check { call(&status) }
            return Stamp(status: status)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    private static func status(of file: Int32) throws(Errno) -> stat {
        var status = stat()
        try check { unsafe fstat(file, &status) }
        return status
    }
}

/// Runs a system call again while a signal interrupts it.
@discardableResult
private func check(_ call: () -> Int32) throws(Errno) -> Int32 {
    while true {
        let result = call()
        if result >= 0 { return result }
        guard errno == EINTR else { throw Errno.last }
    }
}
