package import Routing
import UpstreamTrust

/// The hosts that a CA has to be able to sign for: those of the configuration.
///
/// Ports play no part: a certificate names none.
package struct AuthorityReach: Sendable, Equatable {
    /// In the order that they were given in.
    package let hosts: [HostPattern]

    package init(hosts: [HostPattern]) { self.hosts = hosts }

    /// What the DNS names may end in: exact names and what follows a star, each once, and none below another.
    var domains: [String] {
        let all = Set<String>(
            hosts.compactMap { pattern in
                switch pattern.serverName {
                case .dns(let name): name
                case .ip: nil
                }
            }
        )
        let subtrees = DNSSubtrees(all)
        return all.filter { name in
            guard let dot = name.firstIndex(of: ".") else { return true }
            return !subtrees.contains(name[name.index(after: dot)...])
        }.sorted()
    }

    /// 4 or 16 bytes each, in network order; the former first.
    var addresses: [[UInt8]] {
        let all = Set<[UInt8]>(
            hosts.compactMap { pattern in
                switch pattern.serverName {
                case .dns: nil
                case .ip(let bytes): bytes
                }
            }
        )
        return all.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count }
    }
}
