/// Where the proxy listens.
package struct ListenSettings: Hashable, Sendable {
    package var proxy: ListenAddress
    /// `nil` when it is switched off.
    package var admin: ListenAddress?

    package init(proxy: ListenAddress, admin: ListenAddress?) {
        self.proxy = proxy
        self.admin = admin
    }
}
