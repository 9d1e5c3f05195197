package import FoundationEssentials
import UpstreamTrust

/// A fact about a CA's certificate that its operator should know: that it may sign more than it has to, or that
/// clients may refuse what it signs. None keeps it from being used.
package enum AuthorityFinding: Sendable, Equatable {
    case anyName
    case anyDomain
    case anyAddress
    case unreadableConstraints
    case constraintsNotCritical
    case anySubject
    case authoritiesBelow(maximum: Int?)
    case anyPurpose
    case noServers
    case noKeyUsage
    case signedWithSHA1
    case belowAnother(issuer: String)
    case longLived(days: Int)
    case expiresSoon(at: Date)

    /// One of a bounded set.
    package var label: String {
        switch self {
        case .anyName: "any_name"
        case .anyDomain: "any_domain"
        case .anyAddress: "any_address"
        case .unreadableConstraints: "unreadable_constraints"
        case .constraintsNotCritical: "constraints_not_critical"
        case .anySubject: "any_subject"
        case .authoritiesBelow: "authorities_below"
        case .anyPurpose: "any_purpose"
        case .noServers: "no_servers"
        case .noKeyUsage: "no_key_usage"
        case .signedWithSHA1: "sha1"
        case .belowAnother: "below_another"
        case .longLived: "long_lived"
        case .expiresSoon: "expires_soon"
        }
    }
}

extension AuthorityFinding: CustomStringConvertible {
    /// A sentence about the CA, without a full stop.
    package var description: String {
        switch self {
        case .anyName:
            "it has no name constraints: whoever has its key can impersonate every host to the clients that trust it"
        case .anyDomain:
            "its name constraints leave DNS names free: whoever has its key can impersonate every host that has a name"
        case .anyAddress:
            "its name constraints leave IP addresses free: whoever has its key can impersonate every host that is "
                + "called by its address"
        case .unreadableConstraints:
            "its name constraints cannot be read, so clients will refuse what it signs"
        case .constraintsNotCritical:
            "its name constraints are not critical: a client that does not know them ignores them"
        case .anySubject:
            "its name constraints leave subjects free: whoever has its key can impersonate hosts to OpenSSL's clients by a "
                + "common name such as *.example.com"
        case .authoritiesBelow(let maximum):
            maximum.map { "it may have CAs below it (pathlen:\($0)); a CA for leaves has pathlen:0" }
                ?? "it may have any number of CAs below it; a CA for leaves has pathlen:0"
        case .anyPurpose:
            "it is not confined to servers: with extendedKeyUsage serverAuth its key could not sign for clients, mail "
                + "or code"
        case .noServers:
            "its extended key usage does not name serverAuth, so clients will refuse what it signs"
        case .noKeyUsage:
            "it has no key usage; RFC 5280 asks for a critical one with keyCertSign"
        case .signedWithSHA1:
            "it is signed with SHA-1, which clients refuse but in a root's signature upon itself"
        case .belowAnother(let issuer):
            "it is below another CA (\(issuer)): clients have to trust that one, for many accept no other kind of root"
        case .longLived(let days):
            "it lives for \(days) days, more than ten years"
        case .expiresSoon(let date):
            "it expires on \(UTCText.format(date))"
        }
    }
}
