import Files
import SystemPackage

/// The contents of the vault.
extension Vault {
    /// The name of a credential's file in the vault's directory.
    package static func fileName(of name: CredentialName) -> String { VaultFileName(name).text }

    /// Returns the name of the credential that a file in the vault's directory holds by its own name. Nil when it is no
    /// credential's, or the names are so long that the file's name is a digest of them: it has to be opened then.
    package static func name(ofFile fileName: String) -> CredentialName? { VaultFileName.name(fileName) }

    /// The name of the credential's file that a file in ``changesPath`` is moved to or was moved from. Nil when it is
    /// none.
    package static func fileName(ofChange name: String) -> String? {
        let parts = name.split(separator: Directory.temporaryMark, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasSuffix(VaultFileName.suffix) else { return nil }
        return String(parts[0])
    }

    /// Returns the names of the credentials that are there. Opens only the files whose names do not tell.
    /// - Throws: When the directory cannot be listed.
    package func listing() throws(VaultError) -> VaultListing {
        let directory = try open()
        var listing = VaultListing()
        for fileName in try fileNames(in: directory) {
            if let name = Self.name(ofFile: fileName) {
                listing.names.append(name)
                continue
            }
            do throws(VaultError) {
                guard let (name, _) = try readChecked(fileName, in: directory) else { continue }
                listing.names.append(name)
            } catch {
                listing.errors.append(error)
            }
        }
        listing.names.sort { ($0.api, $0.account) < ($1.api, $1.account) }
        return listing
    }

    /// Opens every file.
    /// - Throws: When the directory cannot be listed; what is wrong with a file is part of the result.
    package func contents() throws(VaultError) -> VaultContents {
        let directory = try open()
        var contents = VaultContents(credentials: [], errors: [])
        for fileName in try fileNames(in: directory) {
            do throws(VaultError) {
                guard let (name, credential) = try readChecked(fileName, in: directory) else { continue }
                contents.credentials.append((name, credential))
            } catch {
                contents.errors.append(error)
            }
        }
        contents.credentials.sort { ($0.name.api, $0.name.account) < ($1.name.api, $1.name.account) }
        return contents
    }

    /// The names of credentials' files, sorted.
    func fileNames(in directory: borrowing Directory) throws(VaultError) -> [String] {
        do throws(Errno) {
            return try directory.names().filter { $0.hasSuffix(VaultFileName.suffix) }.sorted()
        } catch {
            throw .directoryUnusable(path: path, reason: error.reason)
        }
    }

    private func readChecked(
        _ fileName: String,
        in directory: borrowing Directory
    ) throws(VaultError) -> (name: CredentialName, StoredCredential)? {
        guard let (name, credential) = try read(fileName, in: directory) else { return nil }
        guard VaultFileName(name).text == fileName else {
            throw .otherCredential(path: path(of: fileName), holds: name)
        }
        return (name, credential)
    }
}

/// The contents of a vault, the useless files included.
package struct VaultContents: Sendable {
    /// The credentials in the order of API and account.
    package var credentials: [(name: CredentialName, credential: StoredCredential)]
    /// One for each file that cannot be opened.
    package var errors: [VaultError]

    package init(credentials: [(name: CredentialName, credential: StoredCredential)] = [], errors: [VaultError] = []) {
        self.credentials = credentials
        self.errors = errors
    }
}

/// The names of the credentials that a vault holds, by its files' names.
package struct VaultListing: Sendable, Equatable {
    /// The names in the order of API and account. That a file is there does not say that it can be opened.
    package var names: [CredentialName]
    /// One for each file that had to be opened to learn its name, and could not be.
    package var errors: [VaultError]
    /// The number of records that were not looked at, those of removed credentials among them.
    package var unlisted: Int

    package init(names: [CredentialName] = [], errors: [VaultError] = [], unlisted: Int = 0) {
        self.names = names
        self.errors = errors
        self.unlisted = unlisted
    }
}
