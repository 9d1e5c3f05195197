import Routing
import SwiftASN1
import UpstreamTrust
import X509

/// The names and addresses that a CA's certificate lets clients accept from it, by its name constraints.
struct CertificateReach: Sendable {
    /// The domains that are permitted, as they stand in the certificate, likewise below.
    let permittedDomains: [String]
    let excludedDomains: [String]
    let permittedAddresses: [AddressSubtree]
    let excludedAddresses: [AddressSubtree]
    /// Indicates whether it says what a certificate's subject may be.
    let confinesSubjects: Bool
    /// Indicates whether its name constraints can be read; otherwise clients accept nothing from it.
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
        permittedDomains = permitted.compactMap(\.domain)
        excludedDomains = excluded.compactMap(\.domain)
        permittedAddresses = permitted.compactMap(\.addresses)
        excludedAddresses = excluded.compactMap(\.addresses)
        confinesSubjects = (permitted + excluded).contains { name in
            if case .directoryName = name { true } else { false }
        }
        isReadable = found == nil || constraints != nil
        isConstrained = found != nil
        permittedDNSSubtrees = DNSSubtrees(permittedDomains)
        excludedDNSSubtrees = DNSSubtrees(excludedDomains)
        permittedAddressSubtrees = AddressSubtrees(permittedAddresses)
        excludedAddressSubtrees = AddressSubtrees(excludedAddresses)
    }

    func covers(_ name: ServerName) -> Bool {
        guard isReadable else { return false }
        switch name {
        case .dns(let name):
            return (permittedDNSSubtrees.isEmpty || permittedDNSSubtrees.contains(name))
                && !excludedDNSSubtrees.contains(name)
        case .ip(let bytes):
            return (permittedAddressSubtrees.isEmpty || permittedAddressSubtrees.contains(bytes))
                && !excludedAddressSubtrees.contains(bytes)
        }
    }

    /// Returns whether it covers the host of a pattern; of a wildcard, every host.
    func covers(_ pattern: HostPattern) -> Bool {
        guard pattern.isWildcard, case .dns(let suffix) = pattern.serverName else {
            return covers(pattern.serverName)
        }
        return isReadable
            && (permittedDNSSubtrees.isEmpty || permittedDNSSubtrees.containsAll(below: suffix))
            && !excludedDNSSubtrees.containsAny(below: suffix)
    }

    /// Indicates whether there is a DNS name that it does not cover.
    var confinesDomains: Bool {
        !isReadable || !permittedDomains.isEmpty || excludedDomains.contains("")
    }

    /// Indicates whether there are addresses of either kind that it does not cover.
    var confinesAddresses: Bool {
        !isReadable || !permittedAddresses.isEmpty
            || [4, 16].allSatisfy { count in
                excludedAddresses.contains { $0.base.count == count && $0.mask.allSatisfy { $0 == 0 } }
            }
    }
}

extension GeneralName {
    /// The DNS name as it stands in a certificate.
    var domain: String? {
        if case .dnsName(let name) = self { name } else { nil }
    }

    /// The range of addresses; nil for a name of another form, and for bytes that are no range.
    var addresses: AddressSubtree? {
        if case .ipAddress(let bytes) = self { AddressSubtree(bytes.bytes) } else { nil }
    }
}
