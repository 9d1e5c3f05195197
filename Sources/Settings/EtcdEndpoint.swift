package import Bytes
package import Routing

/// The address of a server of etcd, as a client is to reach it.
package struct EtcdEndpoint: Hashable, Sendable {
    package let scheme: URIScheme
    package let authority: Authority

    package init(scheme: URIScheme, authority: Authority) {
        self.scheme = scheme
        self.authority = authority
    }
}

extension EtcdEndpoint: CustomStringConvertible {
    package var description: String { "\(scheme.rawValue)://\(authority)" }
}
