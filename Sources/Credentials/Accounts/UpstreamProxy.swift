import Bytes
package import OAuthSigning
package import UpstreamTrust

/// Another proxy that connections to upstreams are made through, by HTTP CONNECT (RFC 9110, section 9.3.6).
package struct UpstreamProxy: Sendable, Equatable {
    /// A name or an IP address, without brackets.
    package var host: String
    package var port: Int
    /// The roots that its certificate has to lead to; nil: it is spoken to in clear text.
    package var trust: TrustRoots?
    /// The user name; nil when the proxy asks for no credentials.
    package var username: String?
    package var password: Secret?

    package init(
        host: String,
        port: Int,
        trust: TrustRoots? = nil,
        username: String? = nil,
        password: Secret? = nil
    ) {
        self.host = host
        self.port = port
        self.trust = trust
        self.username = username
        self.password = password
    }
}

extension UpstreamProxy: CustomStringConvertible {
    /// `HOST:PORT`, without the credentials.
    package var description: String { "\(bracketed(host: host)):\(port)" }
}

extension UpstreamProxy {
    /// `http://HOST:PORT` or `https://HOST:PORT`, without the credentials.
    package var url: String { "\((trust == nil ? URIScheme.http : .https).rawValue)://\(self)" }
}
