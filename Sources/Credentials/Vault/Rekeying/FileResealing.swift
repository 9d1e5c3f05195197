import Files
import FoundationEssentials
import SystemPackage

/// Seals the files of a vault's old keys under its newest.
struct FileResealing: ~Copyable {
    /// The number of files that are written before they are put into the vault together.
    private static let batchCount = 64

    /// The reason why a file is not sealed anew.
    private enum Obstacle: Error {
        /// Some day the old key may open it.
        case unfinished(VaultError)
        /// Neither key opens it.
        case foreign(VaultError)
        case unwritable(VaultError)
    }

    private struct Resealed {
        var fileName: String
        /// The stamp of the file that it is to replace: no other is replaced.
        var stamp: Directory.Stamp
    }

    private let vault: Vault
    private let keys: KeyRing.Keys
    private let directory: Directory
    private let workDirectory: Directory

    init(
        vault: Vault,
        keys: KeyRing.Keys,
        directory: consuming Directory,
        workDirectory: consuming Directory
    ) {
        self.vault = vault
        self.keys = keys
        self.directory = directory
        self.workDirectory = workDirectory
    }

    /// Goes through the vault until nothing is left to be done.
    /// - Throws: When something cannot be written.
    func run(_ progress: VaultProgress) throws(VaultError) -> VaultRekeying {
        var rekeying = VaultRekeying()
        while true {
            rekeying.unfinished = []
            rekeying.foreign = []
            let isDone = try pass(&rekeying, progress)
            if isDone { return rekeying }
        }
    }

    /// Returns whether there was nothing to be done.
    private func pass(
        _ rekeying: inout VaultRekeying,
        _ progress: VaultProgress
    ) throws(VaultError) -> Bool {
        try clearWorkDirectory()
        var isDone = true
        var rest = try vault.fileNames(in: directory)[...]
        let total = rest.count
        while !rest.isEmpty {
            progress(total - rest.count, total)
            var batch: [Resealed] = []
            for fileName in rest.prefix(Self.batchCount) {
                do throws(Obstacle) {
                    if let resealed = try reseal(fileName) { batch.append(resealed) }
                } catch {
                    switch error {
                    case .unfinished(let error): rekeying.unfinished.append(error)
                    case .foreign(let error): rekeying.foreign.append(error)
                    case .unwritable(let error): throw error
                    }
                }
            }
            rest = rest.dropFirst(Self.batchCount)
            guard !batch.isEmpty else { continue }
            isDone = false
            rekeying.resealedCount += try put(batch)
        }
        return isDone
    }

    private func clearWorkDirectory() throws(VaultError) {
        do throws(Errno) {
            for name in try workDirectory.names() { try workDirectory.remove(name) }
        } catch {
            throw unwritable(error)
        }
    }

    /// Writes a file's credential, under the new key, into the work directory. Returns nil when there is no such file,
    /// or it is of the new key already.
    private func reseal(_ fileName: String) throws(Obstacle) -> Resealed? {
        let path = vault.path(of: fileName)
        guard let (bytes, stamp) = try bytes(of: fileName) else { return nil }
        guard let identifier = SealedFile.keyIdentifier(in: bytes) else { throw .foreign(.notSealed(path: path)) }
        guard let key = keys.key(identifier) else { throw .foreign(.otherKey(path: path)) }
        guard identifier != keys.sealing.identifier else { return nil }
        let resealed: Data
        do throws(VaultError) {
            resealed = try SealedFile(bytes, path: path).resealed(from: key, to: keys.sealing)
        } catch {
            throw .unfinished(error)
        }
        do throws(Errno) {
            try workDirectory.create(fileName, bytes: resealed.span, isSynced: false)
        } catch {
            throw .unwritable(unwritable(error))
        }
        return Resealed(fileName: fileName, stamp: stamp)
    }

    private func bytes(of fileName: String) throws(Obstacle) -> (Data, Directory.Stamp)? {
        do throws(VaultError) {
            // Taken before the file is read: what is stored from now on is noticed.
            guard let stamp = try vault.stamp(of: fileName, in: directory),
                let bytes = try vault.bytes(of: fileName, in: directory)
            else { return nil }
            return (bytes, stamp)
        } catch {
            guard case .fileUnreadable = error else { throw .foreign(error) }
            throw .unfinished(error)
        }
    }

    /// Moves the files into the vault, but for those whose account was stored or removed meanwhile. Returns how many.
    private func put(_ batch: [Resealed]) throws(VaultError) -> Int {
        do throws(Errno) {
            // Not while others wait.
            for resealed in batch { try workDirectory.sync(resealed.fileName) }
        } catch {
            throw unwritable(error)
        }
        return try vault.exclusively(directory) { () throws(VaultError) in
            var count = 0
            for resealed in batch {
                guard try vault.stamp(of: resealed.fileName, in: directory) == resealed.stamp else {
                    _ = try? workDirectory.remove(resealed.fileName)
                    continue
                }
                do throws(Errno) {
                    try workDirectory.move(resealed.fileName, to: directory, as: resealed.fileName)
                } catch {
                    throw .fileUnwritable(path: vault.path(of: resealed.fileName), reason: error.reason)
                }
                count += 1
            }
            return count
        }
    }

    private func unwritable(_ error: Errno) -> VaultError {
        .fileUnwritable(path: vault.path(of: Vault.workDirectory), reason: error.reason)
    }
}
