package import Routing
import SwiftASN1
import UpstreamTrust
import X509

/// The hosts that a CA has to be able to sign for: those of the configuration.
///
/// Ports play no part: a certificate names none.
package struct AuthorityReach: Sendable, Equatable {
    /// The hosts, in the order that they were given in.
    package let hosts: [HostPattern]

    package init(hosts: [HostPattern]) { self.hosts = hosts }

    /// The domains that the DNS names may end in: exact names and what follows a star, each once, and none below
    /// another.
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

extension AuthorityReach {
    /// A name that cannot be any host's (RFC 6761, section 6.4).
    static let noDomain = "invalid"

    /// The name constraints that confine a CA to these hosts.
    ///
    /// A kind of name that is not constrained is free, so a kind of which there is no host is ruled out as a whole. For
    /// addresses by an excluded range of all; for names, of which RFC 5280 has no notation for all, by permitting only
    /// one that does not exist.
    ///
    /// Subjects are ruled out, all of them: where a leaf has no alternative name, OpenSSL takes its common name for the
    /// host's, and holds that to the constraints on names only when it looks like one, which `*.example.com` and
    /// `intranet` do not.
    var constraints: NameConstraints {
        let addresses = self.addresses
        let domains = self.domains
        let isFree = { (count: Int) in !addresses.contains { $0.count == count } }
        var constraints = NameConstraints(
            permittedDNSDomains: domains.isEmpty ? [Self.noDomain] : domains,
            permittedIPRanges: addresses.map { AddressSubtree(only: $0).bytes },
            excludedIPRanges: [4, 16].filter(isFree).map { AddressSubtree(everyAddressOf: $0).bytes }
        )
        constraints.excludedSubtrees.append(.directoryName(DistinguishedName()))
        return constraints
    }
}

extension HostPattern {
    /// The host, or what follows a wildcard's star.
    var serverName: ServerName {
        switch name {
        case .exact(let host): ServerName(host: host)
        case .wildcard(let suffix): .dns(suffix)
        }
    }

    var isWildcard: Bool {
        switch name {
        case .exact: false
        case .wildcard: true
        }
    }
}
