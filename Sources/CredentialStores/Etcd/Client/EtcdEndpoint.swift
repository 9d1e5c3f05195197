/// The address of a server of etcd, as a client is to reach it.
package struct EtcdEndpoint: Sendable, Hashable {
    /// Indicates whether it is reached by TLS.
    package var isSecure: Bool
    /// A name or an address, an IPv6 address without brackets.
    package var host: String
    package var port: Int

    package init(isSecure: Bool, host: String, port: Int) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }
}

extension EtcdEndpoint: CustomStringConvertible {
    package var description: String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
