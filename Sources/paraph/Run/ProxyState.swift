import FoundationEssentials
import LocalAuthority
import ParaphConfiguration

/// The state that the proxy keeps, opened; made where it is on disk and does not exist.
struct ProxyState {
    let authority: LocalAuthority
    let vault: OpenedStore

    /// - Parameter opened: A store that may be what the configuration names, too, and then stays open.
    /// - Throws: `LocalAuthorityError`, or what ``OpenedStore/open(_:)`` throws: a sentence that names the file and what to
    ///   do.
    init(_ configuration: Configuration, keeping opened: OpenedStore? = nil) throws {
        authority = try LocalAuthority.loadOrCreate(
            certificatePath: configuration.authority.certificate,
            keyPath: configuration.authority.privateKey,
            reach: configuration.reach,
            now: Date()
        )
        vault =
            if let opened, opened.isOpened(by: configuration.vault) {
                opened
            } else {
                try OpenedStore.open(configuration.vault)
            }
    }
}
