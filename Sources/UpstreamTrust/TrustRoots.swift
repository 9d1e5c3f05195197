package import FoundationEssentials
package import X509

/// The certificates that a path may end at.
package enum TrustRoots: Equatable, Sendable {
    /// The roots that the system trusts.
    case system
    /// These, instead of the system's.
    case certificates([Certificate])
}

extension TrustRoots {
    /// Other trusted roots of whoever runs the root of a path: what a certificate authority moves to one day, and what
    /// can therefore be pinned as a backup. The newest first; none of them has a key of the path.
    package func rootsOfSameOrganization(asPath path: [Certificate], at time: Date) -> [Certificate] {
        guard let organization = path.last?.subject.organization else { return [] }
        var keys = path.map(\.publicKey)
        let found = all.filter { root in
            guard root.subject.organization == organization, !keys.contains(root.publicKey),
                root.notValidBefore <= time, time <= root.notValidAfter
            else { return false }
            keys.append(root.publicKey)
            return true
        }
        return found.sorted { $0.notValidBefore > $1.notValidBefore }
    }

    private var all: [Certificate] {
        switch self {
        case .system: SystemRoots.read()
        case .certificates(let certificates): certificates
        }
    }
}

extension DistinguishedName {
    fileprivate var organization: String? {
        for name in self {
            for attribute in name where attribute.type == .RDNAttributeType.organizationName {
                if let text = String(attribute.value), !text.isEmpty { return text }
            }
        }
        return nil
    }
}
