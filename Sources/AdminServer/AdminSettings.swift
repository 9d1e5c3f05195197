package import OAuthSigning

/// The settings of the admin listener by the configuration. May change while it listens.
package struct AdminSettings: Sendable {
    /// The address at which it listens.
    package struct Address: Sendable, Equatable, CustomStringConvertible {
        /// A host name or an IP address, without brackets.
        package var host: String
        /// 0 for any free port; the log says which.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// A listener, and who may ask it.
    package struct Listener: Sendable {
        package var address: Address
        /// The token that all but health, metrics and certificate are asked for with; nil, which is for loopback alone:
        /// see ``AccessRule``.
        package var token: Secret?
        /// Indicates whether only this machine can reach the address.
        package var isLoopback: Bool

        package init(address: Address, token: Secret? = nil, isLoopback: Bool) {
            self.address = address
            self.token = token
            self.isLoopback = isLoopback
        }
    }

    /// Nil: it is off.
    package var listener: Listener?
    /// The local CA's certificate, which clients have to trust.
    package var authorityPEM: String

    package init(listener: Listener?, authorityPEM: String) {
        self.listener = listener
        self.authorityPEM = authorityPEM
    }
}
