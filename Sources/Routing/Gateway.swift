import Bytes

/// A listener that stands for the first host of an API: its clients take it for the API itself.
package final class Gateway: Sendable {
    package let route: APIRoute
    /// The authority that its requests go to.
    package let upstream: Authority
    /// Indicates whether the first host was configured without a port, so that 443 and 80 both stand for it.
    let hasDefaultPorts: Bool
    /// The hosts that Host may name, besides loopback addresses and `localhost`.
    private let hosts: Set<String>
    private let takesEveryHost: Bool

    /// - Parameters:
    ///   - address: The host or address that is listened on, in lower case or in its canonical form.
    ///   - hosts: Further names that clients may use, likewise.
    /// - Returns: Nil when the API's first host is not a single one.
    package init?(route: APIRoute, address: String, hosts: [String] = []) {
        guard let first = route.hosts.first, case .exact = first.name else { return nil }
        self.route = route
        upstream = route.upstream(for: first.key)
        hasDefaultPorts = first.port == nil
        self.hosts = Set(hosts + [address])
        takesEveryHost = hosts.isEmpty && !Self.isLoopback(address)
    }

    /// Returns whether a request that names this host can be meant for the gateway.
    ///
    /// A page of any site can have its name resolve to 127.0.0.1 and then read what its visitor's gateway answers (DNS
    /// rebinding): on loopback only names will do that nobody else can have. Elsewhere clients authenticate.
    func serves(_ authority: Authority) -> Bool {
        takesEveryHost || isNamed(authority)
    }

    /// Returns whether this is one of the names that are known to be the gateway's.
    func isNamed(_ authority: Authority) -> Bool {
        hosts.contains(authority.host) || Self.isLoopback(authority.host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }
}
