import Bytes
import SwiftASN1
import X509

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
}
