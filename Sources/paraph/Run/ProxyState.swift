import FoundationEssentials
import LocalAuthority
import NIOPosix
import ParaphConfiguration

/// The state that the proxy keeps, opened; made where it is on disk and does not exist.
struct ProxyState {
    let authority: LocalAuthority
    let vault: OpenedStore
    /// What came of looking for the local CA that proxies share; nil: this one has its own.
    let sharing: SharedAuthority.Outcome?

    /// - Parameters:
    ///   - opened: A store that may be what the configuration names, too, and then stays open.
    ///   - renewingAuthority: Whether a local CA that proxies share is looked for where its files are here, too. They may
    ///     be those that a proxy here serves by.
    /// - Throws: `LocalAuthorityError`, `VaultError`, or what ``OpenedStore/open(_:)`` throws: a sentence that names what
    ///   cannot be used, and what to do. Etcd is asked for nothing but a local CA that proxies share.
    static func open(
        _ configuration: Configuration,
        keeping opened: OpenedStore? = nil,
        renewingAuthority: Bool = false
    ) async throws -> ProxyState {
        let vault =
            if let opened, opened.isOpened(by: configuration.vault) {
                opened
            } else {
                try await NIOThreadPool.singleton.runIfActive { try OpenedStore.open(configuration.vault) }
            }
        let sharing = try await SharedAuthority(configuration, vault)?.follow(renewing: renewingAuthority)
        let authority = try await NIOThreadPool.singleton.runIfActive {
            try LocalAuthority.loadOrCreate(
                certificatePath: configuration.authority.certificate,
                keyPath: configuration.authority.privateKey,
                reach: configuration.reach,
                now: Date()
            )
        }
        return ProxyState(authority: authority, vault: vault, sharing: sharing)
    }
}
