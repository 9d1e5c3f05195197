package import Credentials
package import LocalAuthority
package import Settings

/// All that a reload replaces: the settings, and what they name.
package struct ProxyConfiguration: Sendable {
    package let settings: ProxySettings
    package let authority: LocalAuthority
    /// The store of exchanged tokens.
    package let vault: any CredentialStore
    /// The destination of the access log's lines; nil: there are none.
    package let accessLog: AccessLogOutput?

    package init(
        settings: ProxySettings,
        authority: LocalAuthority,
        vault: any CredentialStore,
        accessLog: AccessLogOutput?
    ) {
        self.settings = settings
        self.authority = authority
        self.vault = vault
        self.accessLog = accessLog
    }
}
