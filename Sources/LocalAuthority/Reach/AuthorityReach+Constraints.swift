import SwiftASN1
import X509

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
