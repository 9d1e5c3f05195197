import Routing
import UpstreamTrust
import X509

/// What a CA's certificate lets clients accept from it, by its name constraints.
struct CertificateReach: Sendable {
    /// As they stand in the certificate, likewise below.
    let permittedDomains: [String]
    let excludedDomains: [String]
    let permittedAddresses: [AddressSubtree]
    let excludedAddresses: [AddressSubtree]
    /// Whether it says what a certificate's subject may be.
    let confinesSubjects: Bool
    /// False when its name constraints cannot be read: clients then accept nothing from it.
    let isReadable: Bool
    let isConstrained: Bool

    private let permittedDNSSubtrees: DNSSubtrees
    private let excludedDNSSubtrees: DNSSubtrees
    private let permittedAddressSubtrees: AddressSubtrees
    private let excludedAddressSubtrees: AddressSubtrees

    init(_ certificate: Certificate) {
        let found = certificate.extensions[oid: .X509ExtensionID.nameConstraints]
        let constraints = found.flatMap { try? NameConstraints($0) }
        let permitted = constraints?.permittedSubtrees ?? []
        let excluded = constraints?.excludedSubtrees ?? []
        self.permittedDomains = permitted.compactMap(\.domain)
        self.excludedDomains = excluded.compactMap(\.domain)
        self.permittedAddresses = permitted.compactMap(\.addresses)
        self.excludedAddresses = excluded.compactMap(\.addresses)
        self.confinesSubjects = (permitted + excluded).contains { name in
            if case .directoryName = name { true } else { false }
        }
        self.isReadable = found == nil || constraints != nil
        self.isConstrained = found != nil
        self.permittedDNSSubtrees = DNSSubtrees(self.permittedDomains)
        self.excludedDNSSubtrees = DNSSubtrees(self.excludedDomains)
        self.permittedAddressSubtrees = AddressSubtrees(self.permittedAddresses)
        self.excludedAddressSubtrees = AddressSubtrees(self.excludedAddresses)
    }

    func covers(_ name: ServerName) -> Bool {
        guard self.isReadable else { return false }
        switch name {
        case .dns(let name):
            return (self.permittedDNSSubtrees.isEmpty || self.permittedDNSSubtrees.contains(name))
                && !self.excludedDNSSubtrees.contains(name)
        case .ip(let bytes):
            return (self.permittedAddressSubtrees.isEmpty || self.permittedAddressSubtrees.contains(bytes))
                && !self.excludedAddressSubtrees.contains(bytes)
        }
    }

    /// Of a wildcard, whether it covers every host.
    func covers(_ pattern: HostPattern) -> Bool {
        guard pattern.isWildcard, case .dns(let suffix) = pattern.serverName else {
            return self.covers(pattern.serverName)
        }
        return self.isReadable
            && (self.permittedDNSSubtrees.isEmpty || self.permittedDNSSubtrees.containsAll(below: suffix))
            && !self.excludedDNSSubtrees.containsAny(below: suffix)
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
