import FoundationEssentials

/// Credentials at rest: a directory with one sealed file for each. Safe to use from any number of tasks and processes
/// at once; all calls block on the disk.
///
/// A file is only ever replaced as a whole: what is stored is written beside it, synced, and renamed over it, so that a
/// process killed at any moment leaves either the old credential or the new one. A file that is of no use is an error
/// of its own credential alone.
package struct Vault: Sendable {
    private let path: String
    private let format: SealedFile

    /// Makes the directory, 0700, when it does not exist, and removes what killed processes left half-written in it.
    /// - Throws: ``VaultError/directoryAccessible(path:mode:)`` when it is open to group or others,
    ///   ``VaultError/directoryUnusable(path:reason:)`` when it cannot be made or opened.
    package init(directory path: String, key: VaultKey) throws(VaultError) {
        self.path = path
        format = SealedFile(key: key)
        try inDirectory { () throws(SystemError) in try Directory.create(path: path) }
        Self.removeLeftovers(from: try open())
    }

    /// Returns nil when nothing is stored.
    /// - Throws: an error that names the file, when there is one and it cannot be opened.
    package func load(_ name: CredentialName) throws(VaultError) -> StoredCredential? {
        let fileName = VaultFileName(name).text
        guard let (holds, credential) = try read(fileName, in: try open()) else { return nil }
        guard holds == name else { throw .otherCredential(path: path(of: fileName), holds: holds) }
        return credential
    }

    /// Stores a credential in place of the one before. It is on the disk when the call returns.
    /// - Throws: an error, and the one before is kept.
    package func store(_ credential: StoredCredential, for name: CredentialName) throws(VaultError) {
        let octets = try format.seal(credential, for: name)
        let directory = try open()
        let fileName = VaultFileName(name).text
        // Keeps leftovers from being removed while one of them is ours. Where the file system has no locks, whoever
        // would remove leftovers gets none either.
        _ = directory.lock(.shared)
        do throws(SystemError) {
            try directory.replace(fileName, with: octets.span)
        } catch {
            throw .fileUnwritable(path: path(of: fileName), reason: error.reason)
        }
    }

    /// Removes a credential, its file of whatever state. Nothing happens when nothing is stored.
    package func remove(_ name: CredentialName) throws(VaultError) {
        let directory = try open()
        let fileName = VaultFileName(name).text
        do throws(SystemError) {
            if try directory.remove(fileName) { try directory.sync() }
        } catch {
            throw .fileUnwritable(path: path(of: fileName), reason: error.reason)
        }
    }

    /// Whose credentials can be loaded, in the order of API and account.
    package func names() throws(VaultError) -> [CredentialName] {
        try contents().credentials.map(\.name)
    }

    /// Opens every file.
    /// - Throws: when the directory cannot be listed; what is wrong with a file is part of the result.
    package func contents() throws(VaultError) -> VaultContents {
        let directory = try open()
        let fileNames = try inDirectory { () throws(SystemError) in try directory.names() }
        var contents = VaultContents(credentials: [], errors: [])
        for fileName in fileNames.sorted() where fileName.hasSuffix(VaultFileName.suffix) {
            do throws(VaultError) {
                guard let (name, credential) = try read(fileName, in: directory) else { continue }
                guard VaultFileName(name).text == fileName else {
                    throw .otherCredential(path: path(of: fileName), holds: name)
                }
                contents.credentials.append((name, credential))
            } catch {
                contents.errors.append(error)
            }
        }
        contents.credentials.sort { ($0.name.api, $0.name.account) < ($1.name.api, $1.name.account) }
        return contents
    }

    // MARK: Files

    /// Opens the directory anew for each call, so that one which was replaced, or opened to others, is noticed.
    private func open() throws(VaultError) -> Directory {
        let directory = try inDirectory { () throws(SystemError) in try Directory(path: path) }
        let mode = try inDirectory { () throws(SystemError) in try directory.mode() }
        guard mode & 0o077 == 0 else { throw .directoryAccessible(path: path, mode: mode) }
        return directory
    }

    private func inDirectory<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(VaultError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw .directoryUnusable(path: path, reason: error.reason)
        }
    }

    private func read(
        _ fileName: String,
        in directory: borrowing Directory
    ) throws(VaultError) -> (name: CredentialName, StoredCredential)? {
        let path = path(of: fileName)
        let content: Directory.Content<Data>
        do throws(SystemError) {
            content = try directory.read(fileName, limit: SealedFile.limit) { Data(copying: $0) }
        } catch {
            throw .fileUnreadable(path: path, reason: error.reason)
        }
        switch content {
        case .missing: return nil
        case .notAFile: throw .notAFile(path: path)
        case .oversized: throw .oversized(path: path, limit: SealedFile.limit)
        case .read(let octets, mode: _): return try format.open(octets, path: path)
        }
    }

    /// Whoever stores holds a shared lock meanwhile. Where there is an exclusive one to be had, nobody stores, and every
    /// temporary file is a leftover.
    private static func removeLeftovers(from directory: borrowing Directory) {
        guard directory.lock(.exclusive), let names = try? directory.names() else { return }
        for name in names where name.hasPrefix(Directory.temporaryPrefix) { _ = try? directory.remove(name) }
    }

    private func path(of fileName: String) -> String {
        path.hasSuffix("/") ? path + fileName : path + "/" + fileName
    }
}
