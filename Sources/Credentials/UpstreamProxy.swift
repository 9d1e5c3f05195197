package import OAuthSigning

/// Another proxy that connections to upstreams are made through, by HTTP CONNECT (RFC 9110, section 9.3.6).
package struct UpstreamProxy: Sendable, Equatable {
    /// A name or an IP address, without brackets.
    package var host: String
    package var port: Int
    /// Nil: the proxy asks for no credentials.
    package var username: String?
    package var password: Secret?

    package init(host: String, port: Int, username: String? = nil, password: Secret? = nil) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
    }
}

extension UpstreamProxy: CustomStringConvertible {
    /// `HOST:PORT`, without the credentials.
    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
