import FoundationEssentials
import LocalAuthority
import Logging
import ParaphConfiguration

/// The state that the proxy keeps, opened; made where it is on disk and does not exist.
struct ProxyState {
    let authority: LocalAuthority
    let vault: OpenedStore

    /// - Parameters:
    ///   - opened: A store that may be what the configuration names, too, and then stays open.
    ///   - logger: The log of whoever serves by it from now on: a local CA that proxies share is looked for where its
    ///     files are here, too. Nil: they may be those that another proxy here serves by, and stay as they are.
    /// - Throws: `LocalAuthorityError`, `VaultError`, or what ``OpenedStore/open(_:)`` throws: a sentence that names
    ///   what cannot be used, and what to do. Etcd is asked for nothing but a local CA that proxies share.
    static func open(
        _ configuration: Configuration,
        keeping opened: OpenedStore? = nil,
        logger: Logger? = nil
    ) async throws -> ProxyState {
        let directory = StateDirectory(path: configuration.stateDirectory)
        let vault =
            if let opened, opened.isOpened(by: configuration.vault) {
                opened
            } else {
                try await BlockingWork.run { try OpenedStore.open(configuration.vault) }
            }
        let outcome = try await SharedAuthority(configuration, vault)?.follow(renewing: logger != nil)
        // Now: whatever fails after it, the files are other ones, and the next time nothing is seen of that.
        if let logger { outcome?.tell(configuration, logger) }
        let authority = try await BlockingWork.run { try load(configuration) }
        await BlockingWork.run { directory.hideFromGit() }
        return ProxyState(authority: authority, vault: vault)
    }

    private static func load(_ configuration: Configuration) throws -> LocalAuthority {
        do throws(LocalAuthorityError) {
            return try LocalAuthority.loadOrCreate(
                certificatePath: configuration.authority.certificate,
                keyPath: configuration.authority.privateKey,
                reach: configuration.reach,
                now: Date()
            )
        } catch {
            guard configuration.authority.isShared, case .expired(let path, let date) = error else { throw error }
            throw SharedAuthorityError.expired(path: path, at: date)
        }
    }
}
