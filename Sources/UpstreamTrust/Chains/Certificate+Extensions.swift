import Bytes
import SwiftASN1
package import X509

extension Certificate {
    /// The first critical extension that is not processed here: a certificate with one is refused (RFC 5280, section
    /// 4.2).
    var unknownCriticalExtension: String? {
        let known: [ASN1ObjectIdentifier] = [
            .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
            .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
        ]
        let unknown = extensions.first { $0.critical && !known.contains($0.oid) }
        return unknown.map { PrintableText("\($0.oid)", limit: 64).description }
    }

    /// Indicates whether its key usage lets its key sign certificates; without a key usage it does (RFC 5280, section
    /// 4.2.1.3).
    package var mayKeySignCertificates: Bool { keyUsageHas(0b0000_0100) }

    /// Indicates whether its key usage lets its key sign revocation lists; without a key usage it does.
    var mayKeySignRevocationLists: Bool { keyUsageHas(0b0000_0010) }

    /// X509's `KeyUsage` refuses a bit string with trailing zero bits, as DER has it, and there are public roots with
    /// such a one: the bit itself is looked at here.
    private func keyUsageHas(_ bit: UInt8) -> Bool {
        guard let usage = extensions[oid: .X509ExtensionID.keyUsage] else { return true }
        guard let bits = try? ASN1BitString(derEncoded: usage.value), let first = bits.bytes.first else { return false }
        return first & bit != 0
    }
}

extension AuthorityKeyIdentifier {
    /// Indicates whether what it has is not empty, and it has both the issuer and the serial number of the authority's
    /// certificate or neither (RFC 5280, section 4.2.1.1).
    var isComplete: Bool {
        keyIdentifier?.isEmpty != true && authorityCertIssuer?.isEmpty != true
            && (authorityCertIssuer == nil) == (authorityCertSerialNumber == nil)
    }
}
