import Crypto
package import Files
import FoundationEssentials
import SystemPackage

/// Credentials at rest: a directory with one sealed file for each. Safe to use from any number of tasks and processes
/// at once; all calls block on the disk.
///
/// A file is only ever replaced as a whole: what is stored is written beside it, synced, and renamed over it, so that a
/// process killed at any moment leaves either the old credential or the new one. A file that is of no use is an error
/// of its own credential alone.
package struct Vault: Sendable {
    /// The directory in which files are written before they are put in their places, and to which they go when they are
    /// removed.
    private static let temporaryDirectory = ".temporary"
    /// The file that has the locks of turns, and no contents.
    private static let turnsFile = ".exchanges"

    /// The directory.
    package let path: String
    let ring: KeyRing

    /// The directory that files are moved out of and into whenever a credential is stored or removed. What to do to
    /// learn of that is to watch this one: the kernel's work at the start of a watch grows with the files in a
    /// directory.
    package var changesPath: String { path(of: Self.temporaryDirectory) }

    /// Makes the directory, 0700, when it does not exist, and the key's file; and removes what killed processes left
    /// half-written. Takes as long for a full vault as for an empty one.
    /// - Throws: ``VaultError/directoryAccessible(path:mode:)`` when it is open to group or others,
    ///   ``VaultError/directoryUnusable(path:reason:)`` when it cannot be made or opened,
    ///   ``VaultError/keyLost(path:directory:)`` when there are credentials but not the file with their key, and what
    ///   ``VaultKey/loadOrCreate(path:)`` throws.
    package init(directory path: String, key source: VaultKeySource) throws(VaultError) {
        self.path = path
        try Self.inDirectory(path) { () throws(Errno) in try Directory.create(path: path) }
        let directory = try Self.open(path)
        if case .file(let keyPath) = source {
            try Self.checkKey(at: keyPath, of: directory, path: path)
            _ = try VaultKey.loadOrCreate(path: keyPath)
        }
        ring = try KeyRing(source, directory: directory, path: path)
        try removeLeftovers(in: directory)
    }

    package init(directory path: String, key: VaultKey) throws(VaultError) {
        try self.init(directory: path, key: .value(key))
    }

    /// Opens a vault and makes nothing.
    /// Returns nil when there is none: no directory, or no key's file and no credentials either.
    /// - Throws: As ``init(directory:key:)-(_,VaultKeySource)``.
    package init?(existingDirectory path: String, key source: VaultKeySource) throws(VaultError) {
        self.path = path
        let stamp = try Self.inDirectory(path) { () throws(Errno) in try Directory.stamp(path: path) }
        guard stamp != nil else { return nil }
        let directory = try Self.open(path)
        if case .file(let keyPath) = source {
            guard try Self.checkKey(at: keyPath, of: directory, path: path) else { return nil }
        }
        ring = try KeyRing(source, directory: directory, path: path)
    }

    /// Looks whether what is stored could be read, as far as that concerns the directory and the key.
    package func check() throws(VaultError) {
        _ = try ring.current(in: try open())
    }

    /// Returns nil when nothing is stored.
    /// - Throws: An error that names the file, when there is one and it cannot be opened.
    package func load(_ name: CredentialName) throws(VaultError) -> StoredCredential? {
        let fileName = Self.fileName(of: name)
        guard let (holds, credential) = try read(fileName, in: try open()) else { return nil }
        guard holds == name else { throw .otherCredential(path: path(of: fileName), holds: holds) }
        return credential
    }

    /// Stores a credential in place of the one before. It is on the disk when the call returns.
    /// - Throws: An error, and the one before is kept.
    package func store(_ credential: StoredCredential, for name: CredentialName) throws(VaultError) {
        try locked(.shared) { directory, temporaries throws(VaultError) in
            try put(credential, for: name, in: directory, madeIn: temporaries)
        }
    }

    /// Stores, replaces or removes a credential, as it is decided in view of the one that is stored. Nobody changes
    /// that meanwhile.
    /// - Parameter decide: The decision, given what is stored, nil when that is nothing or cannot be opened.
    /// - Returns: Whether anything was changed.
    /// - Throws: An error, and the one before is kept.
    package func change(
        _ name: CredentialName,
        _ decide: (StoredCredential?) -> CredentialChange
    ) throws(VaultError) -> Bool {
        try locked(.exclusive) { directory, temporaries throws(VaultError) -> Bool in
            switch decide(try? load(name)) {
            case .keep: return false
            case .store(let credential):
                try put(credential, for: name, in: directory, madeIn: temporaries)
                return true
            case .remove: return try remove(name, from: directory, by: temporaries)
            }
        }
    }

    private func put(
        _ credential: StoredCredential,
        for name: CredentialName,
        in directory: borrowing Directory,
        madeIn temporaries: borrowing Directory
    ) throws(VaultError) {
        let fileName = Self.fileName(of: name)
        let bytes = try SealedFile.seal(credential, for: name, under: ring.current(in: directory).sealing)
        do throws(Errno) {
            try directory.replace(fileName, with: bytes.span, madeIn: temporaries)
        } catch {
            throw .fileUnwritable(path: path(of: fileName), reason: error.reason)
        }
    }

    /// Removes a credential, its file of whatever state. Returns false when nothing is stored.
    @discardableResult
    package func remove(_ name: CredentialName) throws(VaultError) -> Bool {
        // A re-key must not put back what is being removed.
        try locked(.shared) { directory, temporaries throws(VaultError) -> Bool in
            try remove(name, from: directory, by: temporaries)
        }
    }

    private func remove(
        _ name: CredentialName,
        from directory: borrowing Directory,
        by temporaries: borrowing Directory
    ) throws(VaultError) -> Bool {
        let fileName = Self.fileName(of: name)
        guard let stamp = try stamp(of: fileName, in: directory) else { return false }
        guard !stamp.isDirectory else { throw .notAFile(path: path(of: fileName)) }
        do throws(Errno) {
            return try directory.remove(fileName, by: temporaries)
        } catch {
            throw .fileUnwritable(path: path(of: fileName), reason: error.reason)
        }
    }

    // MARK: Turns at exchanging

    /// Returns a lock that one process at a time has for an account; nil: somebody else has it.
    package func turn(of name: CredentialName) throws(VaultError) -> NumberLock? {
        let directory = try open()
        var number: Int64 = 0
        // 62 bits: two accounts that have the same wait for each other, and that is all.
        for byte in SHA256.hash(data: Array(Self.fileName(of: name).utf8)).prefix(8) {
            number = (number << 8 | Int64(byte)) & (.max >> 1)
        }
        do throws(Errno) {
            return try NumberLock(number, of: Self.turnsFile, in: directory)
        } catch {
            throw .fileUnwritable(path: path(of: Self.turnsFile), reason: error.reason)
        }
    }

    // MARK: Files

    /// Opens the directory anew for each call, so that one which was replaced, or opened to others, is noticed.
    func open() throws(VaultError) -> Directory { try Self.open(path) }

    private static func open(_ path: String) throws(VaultError) -> Directory {
        let directory = try inDirectory(path) { () throws(Errno) in try Directory(path: path) }
        let mode = try inDirectory(path) { () throws(Errno) in try directory.mode() }
        guard mode & 0o077 == 0 else { throw .directoryAccessible(path: path, mode: mode) }
        return directory
    }

    private static func inDirectory<Value: ~Copyable>(
        _ path: String,
        _ body: () throws(Errno) -> Value
    ) throws(VaultError) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw .directoryUnusable(path: path, reason: error.reason)
        }
    }

    /// Files are written in a directory of their own, so that leftovers are found without looking at all that is
    /// stored.
    func temporaries(in directory: borrowing Directory) throws(VaultError) -> Directory {
        try subdirectory(Self.temporaryDirectory, of: directory)
    }

    /// Opens a directory of the vault, which is made when it does not exist.
    func subdirectory(_ name: String, of directory: borrowing Directory) throws(VaultError) -> Directory {
        do throws(Errno) {
            return try Directory(name, in: directory)
        } catch {
            throw .directoryUnusable(path: path(of: name), reason: error.reason)
        }
    }

    /// Changes files under a lock, in the directory as it is opened for that.
    private func locked<Value>(
        _ kind: Directory.Lock,
        _ body: (borrowing Directory, _ temporaries: borrowing Directory) throws(VaultError) -> Value
    ) throws(VaultError) -> Value {
        let directory = try open()
        let temporaries = try temporaries(in: directory)
        lock(directory, kind, gate: temporaries)
        defer { directory.unlock() }
        return try body(directory, temporaries)
    }

    /// Locks a directory: who changes a file holds a shared lock meanwhile, and under an exclusive one nobody does.
    ///
    /// All pass through a gate, one at a time: those who come after one that waits for an exclusive lock wait behind
    /// it, and cannot keep it out by holding shared ones in turns. Where the file system has no locks, nobody gets any.
    /// - Parameter gate: The directory of temporary files, whose lock is not used for anything else.
    @discardableResult
    func lock(_ directory: borrowing Directory, _ lock: Directory.Lock, gate: borrowing Directory) -> Bool {
        _ = gate.lock(.exclusive)
        defer { gate.unlock() }
        return directory.lock(lock)
    }

    /// Returns nil when there is no such file.
    func read(
        _ fileName: String,
        in directory: borrowing Directory
    ) throws(VaultError) -> (name: CredentialName, StoredCredential)? {
        let keys = ring.held
        guard let bytes = try bytes(of: fileName, in: directory) else { return nil }
        let file = try SealedFile(bytes, path: path(of: fileName))
        if let key = keys.key(file.keyIdentifier) { return (file.name, try file.open(under: key)) }
        // The vault has been re-keyed; and, if the file was read before, that one too is there no more.
        let newKeys = try ring.current(in: directory)
        guard let bytes = try self.bytes(of: fileName, in: directory) else { return nil }
        let newFile = try SealedFile(bytes, path: path(of: fileName))
        guard let key = newKeys.key(newFile.keyIdentifier) else { throw .otherKey(path: path(of: fileName)) }
        return (newFile.name, try newFile.open(under: key))
    }

    /// Returns nil when there is no such file.
    func stamp(of fileName: String, in directory: borrowing Directory) throws(VaultError) -> Directory.Stamp? {
        do throws(Errno) {
            return try directory.stamp(of: fileName)
        } catch {
            throw .fileUnreadable(path: path(of: fileName), reason: error.reason)
        }
    }

    /// Returns nil when there is no such file.
    func bytes(of fileName: String, in directory: borrowing Directory) throws(VaultError) -> Data? {
        let path = path(of: fileName)
        let content: Directory.Content<Data>
        do throws(Errno) {
            content = try directory.read(fileName, limit: SealedFile.limit) { Data(copying: $0) }
        } catch {
            throw .fileUnreadable(path: path, reason: error.reason)
        }
        switch content {
        case .missing: return nil
        case .notAFile: throw .notAFile(path: path)
        case .oversized: throw .oversized(path: path, limit: SealedFile.limit)
        case .read(let bytes, rights: _): return bytes
        }
    }

    /// Returns false when there is neither the key's file nor a credential.
    @discardableResult
    private static func checkKey(
        at keyPath: String,
        of directory: borrowing Directory,
        path: String
    ) throws(VaultError) -> Bool {
        do throws(Errno) {
            if try Directory.stamp(path: keyPath, followingLinks: false) != nil { return true }
        } catch {
            throw .keyFileUnusable(path: keyPath, reason: error.reason)
        }
        let names = try inDirectory(path) { () throws(Errno) in try directory.names() }
        // A new key opens nothing that another has sealed: better said now than at the first request.
        guard !names.contains(where: { $0.hasSuffix(VaultFileName.suffix) }) else {
            throw .keyLost(path: keyPath, directory: path)
        }
        return false
    }

    /// Removes temporary files: where there is an exclusive lock to be had, nobody stores, and each of them
    /// is a leftover.
    private func removeLeftovers(in directory: borrowing Directory) throws(VaultError) {
        let temporaries = try temporaries(in: directory)
        guard directory.lock(.exclusiveAtOnce) else { return }
        defer { directory.unlock() }
        guard let names = try? temporaries.names() else { return }
        for name in names { _ = try? temporaries.remove(name) }
    }

    func path(of fileName: String) -> String {
        path.hasSuffix("/") ? path + fileName : path + "/" + fileName
    }
}
