import SwiftASN1
package import X509

extension Certificate {
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
