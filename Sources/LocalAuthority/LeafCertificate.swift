package import FoundationEssentials

/// The certificate that an intercepted host's TLS is served with.
package struct LeafCertificate: Sendable {
    /// The leaf's DER certificate.
    package let certificateDER: [UInt8]
    /// The certificates to present, leaf first: with the CA's own and those between it and a root when it is not its
    /// own issuer, and with those that lead to the roots that Java trusts. No root is among them.
    package let chainDER: [[UInt8]]
    /// The PKCS#8 DER of the leaf's key: one for the whole process, and never the CA's.
    package let privateKeyDER: [UInt8]
    package let notBefore: Date
    package let notAfter: Date
}

extension LeafCertificate: CustomStringConvertible, CustomReflectable {
    package var description: String { "<leaf certificate and key>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
