import Credentials
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// What the proxy keeps on disk, opened; made where it does not exist.
struct ProxyState {
    let authority: LocalAuthority
    let vault: Vault

    /// - Throws: `AuthorityError` or `VaultError`: a sentence that names the file and what to do.
    init(_ configuration: Configuration) throws {
        authority = try LocalAuthority.loadOrCreate(
            certificatePath: configuration.authority.certificate,
            keyPath: configuration.authority.privateKey,
            now: Date()
        )
        let key: VaultKey
        switch configuration.vault.key {
        case .file(let path):
            let isNew = !FileManager.default.fileExists(atPath: path)
            key = try VaultKey.loadOrCreate(path: path)
            vault = try Vault(directory: configuration.vault.directory, key: key)
            // A new key opens nothing that another has sealed: better said now than at the first request.
            guard isNew, try !vault.names().isEmpty else { return }
            try? FileManager.default.removeItem(atPath: path)
            throw ProxyStateError.vaultKeyLost(path: path, directory: configuration.vault.directory)
        case .value(let value): key = value
        }
        vault = try Vault(directory: configuration.vault.directory, key: key)
    }
}
