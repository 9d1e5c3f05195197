package import OAuthSigning

/// The admin listener, and who may ask it.
package struct AdminListenerSettings: Equatable, Sendable {
    package var address: ListenAddress
    /// The token that all but health, metrics and certificate are asked for with; nil, which is for loopback alone.
    package var token: Secret?
    /// Indicates whether only this machine can reach the address.
    package var isLoopback: Bool

    /// - Parameter isLoopback: Whether only this machine can reach the address; nil: as the address tells.
    package init(address: ListenAddress, token: Secret? = nil, isLoopback: Bool? = nil) {
        self.address = address
        self.token = token
        self.isLoopback = isLoopback ?? address.isLoopback
    }
}
