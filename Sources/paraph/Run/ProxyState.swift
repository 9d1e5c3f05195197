import Credentials
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// The state that the proxy keeps on disk, opened; made where it does not exist.
struct ProxyState {
    let authority: LocalAuthority
    let vault: Vault

    /// - Throws: `LocalAuthorityError` or `VaultError`: a sentence that names the file and what to do.
    init(_ configuration: Configuration) throws {
        authority = try LocalAuthority.loadOrCreate(
            certificatePath: configuration.authority.certificate,
            keyPath: configuration.authority.privateKey,
            reach: configuration.reach,
            now: Date()
        )
        vault = try Vault(directory: configuration.vault.directory, key: configuration.vault.key)
    }
}
