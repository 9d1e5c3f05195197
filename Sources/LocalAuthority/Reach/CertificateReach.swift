import Routing
import SwiftASN1
import UpstreamTrust
import X509

/// What a CA's certificate lets clients accept from it, by its name constraints.
struct CertificateReach: Sendable {
    private let permitted: [GeneralName]
    private let excluded: [GeneralName]
    /// False when its name constraints cannot be read: clients then accept nothing from it.
    let isReadable: Bool
    let isConstrained: Bool

    init(_ certificate: Certificate) {
        let found = certificate.extensions[oid: .X509ExtensionID.nameConstraints]
        let constraints = found.flatMap { try? NameConstraints($0) }
        self.permitted = constraints?.permittedSubtrees ?? []
        self.excluded = constraints?.excludedSubtrees ?? []
        self.isReadable = found == nil || constraints != nil
        self.isConstrained = found != nil
    }

    var permittedDomains: [String] { self.permitted.compactMap(\.domain) }
    var excludedDomains: [String] { self.excluded.compactMap(\.domain) }
    var permittedAddresses: [AddressSubtree] { self.permitted.compactMap(\.addresses) }
    var excludedAddresses: [AddressSubtree] { self.excluded.compactMap(\.addresses) }

    /// Whether it says what a certificate's subject may be.
    var confinesSubjects: Bool {
        (self.permitted + self.excluded).contains { name in
            if case .directoryName = name { true } else { false }
        }
    }

    func covers(_ name: ServerName) -> Bool {
        guard self.isReadable else { return false }
        switch name {
        case .dns(let name):
            let permitted = self.permittedDomains
            return (permitted.isEmpty || permitted.contains { DNSSubtree($0).contains(name) })
                && !self.excludedDomains.contains { DNSSubtree($0).contains(name) }
        case .ip(let octets):
            let permitted = self.permittedAddresses
            return (permitted.isEmpty || permitted.contains { $0.contains(octets) })
                && !self.excludedAddresses.contains { $0.contains(octets) }
        }
    }

    /// Of a wildcard, whether it covers every host.
    func covers(_ pattern: HostPattern) -> Bool {
        guard pattern.isWildcard, case .dns(let suffix) = pattern.serverName else {
            return self.covers(pattern.serverName)
        }
        let permitted = self.permittedDomains
        return self.isReadable
            && (permitted.isEmpty || permitted.contains { DNSSubtree($0).containsAll(below: suffix) })
            && !self.excludedDomains.contains { DNSSubtree($0).containsAny(below: suffix) }
    }

    /// Whether there is a DNS name that it does not cover.
    var confinesDomains: Bool {
        !self.isReadable || !self.permittedDomains.isEmpty || self.excludedDomains.contains("")
    }

    /// Whether there are addresses of either kind that it does not cover.
    var confinesAddresses: Bool {
        !self.isReadable || !self.permittedAddresses.isEmpty
            || [4, 16].allSatisfy { count in
                self.excludedAddresses.contains { $0.base.count == count && $0.mask.allSatisfy { $0 == 0 } }
            }
    }
}

extension GeneralName {
    fileprivate var domain: String? {
        if case .dnsName(let name) = self { name } else { nil }
    }

    fileprivate var addresses: AddressSubtree? {
        if case .ipAddress(let octets) = self { AddressSubtree(octets.bytes) } else { nil }
    }
}
