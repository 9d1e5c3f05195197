import SwiftASN1
import UpstreamTrust
import X509

/// A host as the subject of its certificate: exactly one alternative name, and a common name for people to read where
/// one fits.
///
/// An address is no common name: OpenSSL and GnuTLS hold a common name to the constraints on DNS names where there is
/// no alternative name of that kind.
struct SubjectName {
    let alternativeName: GeneralName
    let distinguishedName: DistinguishedName

    /// - Parameter isNamed: False for no common name at all, as a CA needs that confines the subjects.
    init(_ serverName: ServerName, isNamed: Bool) throws(LocalAuthorityError) {
        var commonName: String?
        switch serverName {
        case .dns(let name):
            guard Self.isHostName(name) else { throw .invalidServerName(serverName.description) }
            alternativeName = .dnsName(name)
            // ub-common-name of RFC 5280 is 64.
            if isNamed, name.utf8.count <= 64 { commonName = name }
        case .ip(let bytes):
            guard bytes.count == 4 || bytes.count == 16 else {
                throw .invalidServerName(serverName.description)
            }
            alternativeName = .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }
        distinguishedName =
            commonName.flatMap { name in try? DistinguishedName { CommonName(name) } } ?? DistinguishedName()
    }

    /// Labels of letters, digits, hyphens and (as found in the wild) underscores: no wildcard, and nothing that would
    /// read as something else.
    private static func isHostName(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
