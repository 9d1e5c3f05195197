package import OAuthSigning

/// The addresses at which the proxy listens.
package struct ListenSettings: Equatable, Sendable {
    package var proxy: ListenAddress
    /// `nil` when it is switched off.
    package var admin: ListenAddress?
    /// The token that the admin listener asks for; `nil`: it has none of its own. See ``Configuration/adminToken``.
    package var adminToken: Secret?

    package init(proxy: ListenAddress, admin: ListenAddress?, adminToken: Secret? = nil) {
        self.proxy = proxy
        self.admin = admin
        self.adminToken = adminToken
    }
}
