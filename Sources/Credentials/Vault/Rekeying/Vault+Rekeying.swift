import Files
import FoundationEssentials
import SystemPackage

/// Changing the vault's key while others use the vault.
///
/// 1. The next key is put on the disk, under the exclusive lock. Whoever stores looks for it under the shared lock:
///    from now on everything new is sealed under the next key, and everybody opens files of both.
/// 2. Each file of the old key is sealed anew beside the vault, and put into the vault unless it was changed meanwhile:
///    the exclusive lock is held for a few files at a time.
/// 3. When no file of the old key is left, the next key takes the place of the old one.
///
/// Killed at any moment, it leaves a vault whose files all open, and goes on where it stopped when it is run again.
extension Vault {
    /// The directory in which the files sealed anew are written; locked while a re-key runs.
    static let workDirectory = ".rekey"

    /// Seals every credential under a new key.
    ///
    /// - Parameter newKeyFile: The place of the new key of a vault that was opened with a key itself: an absolute path;
    ///   the file is made when it does not exist. From then on, processes with the old key read the new one there. Nil
    ///   when the vault was opened with a key's file, which gets the new key.
    /// - Parameter progress: The function that is told of the files that were gone through.
    /// - Returns: The result, files of no use included.
    /// - Throws: ``VaultError/rekeyRunning(directory:)`` or ``VaultError/rekeyImpossible(reason:)`` before anything was
    ///   changed; any other when something cannot be written: then both keys are in use, until it is run again.
    package func rekey(
        newKeyFile: String? = nil,
        progress: VaultProgress = { _, _ in }
    ) throws(VaultError) -> VaultRekeying {
        let directory = try open()
        let turn = try subdirectory(Self.workDirectory, of: directory)
        guard turn.lock(.exclusiveAtOnce) else { throw .rekeyRunning(directory: path) }
        defer { turn.unlock() }
        let keyPath = try checkedKeyPath(newKeyFile: newKeyFile, directory: directory)
        let keys = try exclusively(directory) { () throws(VaultError) in
            try makeNextKey(at: keyPath, in: directory)
            return try ring.current(in: directory)
        }
        let rekeying = try FileResealing(
            vault: self,
            keys: keys,
            directory: try open(),
            workDirectory: try subdirectory(Self.workDirectory, of: directory)
        ).run(progress)
        if rekeying.isFinished { try finish(keyPath: keyPath, directory: directory) }
        return rekeying
    }

    /// Runs something while nobody changes a file.
    func exclusively<Value>(
        _ directory: borrowing Directory,
        _ body: () throws(VaultError) -> Value
    ) throws(VaultError) -> Value {
        guard lock(directory, .exclusive, gate: try temporaries(in: directory)) else {
            throw .directoryUnusable(path: path, reason: "its file system has no locks")
        }
        defer { directory.unlock() }
        return try body()
    }

    private func checkedKeyPath(
        newKeyFile: String?,
        directory: borrowing Directory
    ) throws(VaultError) -> String {
        switch (ring.source, newKeyFile) {
        case (.file(let path), nil):
            guard try !isLink(path) else {
                throw .rekeyImpossible(
                    reason: "\(path) is a link. Configure the file that it leads to as the vault's key."
                )
            }
            return path
        case (.file(let path), _?):
            throw .rekeyImpossible(
                reason: "the key is in the file \(path), which gets the new one. Name no other file."
            )
        case (.value, nil):
            throw .rekeyImpossible(
                reason: "the configuration has the key itself, which stays as it is. Name a file for the new key."
            )
        case (.value(let key), let newPath?):
            if let followed = try ring.followedPath(in: directory), followed != newPath {
                throw .rekeyImpossible(
                    reason: "the key has moved to the file \(followed) before. Configure that file as the vault's key; "
                        + "or name it again, to go on with a re-key that was broken off."
                )
            }
            guard try VaultKey.load(path: newPath)?.identifier != key.identifier else {
                throw .rekeyImpossible(reason: "the file \(newPath) has the present key. Name another one.")
            }
            return newPath
        }
    }

    private func isLink(_ path: String) throws(VaultError) -> Bool {
        do throws(Errno) {
            return try Directory.stamp(path: path, followingLinks: false)?.isSymbolicLink == true
        } catch {
            throw .keyFileUnusable(path: path, reason: error.reason)
        }
    }

    private func makeNextKey(at keyPath: String, in directory: borrowing Directory) throws(VaultError) {
        guard case .value(let key) = ring.source else {
            let nextPath = KeyRing.nextPath(of: keyPath)
            try VaultKey.removeLeftovers(of: nextPath)
            _ = try VaultKey.loadOrCreate(path: nextPath)
            return
        }
        try VaultKey.removeLeftovers(of: keyPath)
        _ = try VaultKey.loadOrCreate(path: keyPath)
        guard try ring.followedPath(in: directory) == nil else { return }
        let name = KeySuccessor.fileName(for: key)
        guard let bytes = KeySuccessor(path: keyPath).sealed(under: key) else { throw .damaged(path: path(of: name)) }
        let temporaries = try temporaries(in: directory)
        do throws(Errno) {
            try directory.replace(name, with: bytes.span, madeIn: temporaries)
        } catch {
            throw .fileUnwritable(path: path(of: name), reason: error.reason)
        }
    }

    private func finish(keyPath: String, directory: borrowing Directory) throws(VaultError) {
        do throws(Errno) {
            try directory.sync()
        } catch {
            throw .directoryUnusable(path: path, reason: error.reason)
        }
        guard case .file = ring.source else { return }
        try exclusively(directory) { () throws(VaultError) in
            do throws(Errno) {
                let parent = try Directory(path: Directory.parent(of: keyPath))
                let name = String(keyPath.split(separator: "/").last ?? "")
                try parent.move(KeyRing.nextPath(of: name), to: parent, as: name)
                try parent.sync()
            } catch {
                throw .keyFileUnusable(path: keyPath, reason: error.reason)
            }
        }
    }
}

/// The result of re-keying a vault.
package struct VaultRekeying: Sendable, Equatable {
    /// The number of files that were sealed under the new key, this time.
    package var resealedCount = 0
    /// One for each file that only the old key may ever open, but that could not be opened or read now. While there are
    /// any, both keys stay in use, and the re-key has to be run again.
    package var unfinished: [VaultError] = []
    /// One for each file that neither key opens. They are left as they are.
    package var foreign: [VaultError] = []

    package init() {}

    package var isFinished: Bool { unfinished.isEmpty }
}

/// Work on many records, told of while it goes on.
///
/// - Parameters:
///   - done: The number of records that were gone through so far.
///   - total: The number of records that there are, as far as is known.
package typealias VaultProgress = (_ done: Int, _ total: Int) -> Void
