package import Bytes
package import OAuthSigning
package import Routing
package import UpstreamTrust

/// The servers of etcd that credentials are kept in, and how they are reached.
package struct EtcdSettings: Equatable, Sendable {
    /// The address of a server.
    package struct Endpoint: Hashable, Sendable {
        package var scheme: URIScheme
        package var authority: Authority
    }

    /// The user that requests are made as.
    package struct User: Equatable, Sendable {
        package var name: String
        package var password: Secret
    }

    /// At least one.
    package var endpoints: [Endpoint]
    /// The prefix of all keys, which nobody else uses.
    package var prefix: String
    /// The roots of the servers' certificates.
    package var trust: TrustRoots
    /// Nil: the servers are shown no certificate.
    package var identity: TLSIdentity?
    /// Nil: etcd asks for none.
    package var user: User?
}

extension EtcdSettings.Endpoint: CustomStringConvertible {
    package var description: String { "\(scheme.rawValue)://\(authority)" }
}
