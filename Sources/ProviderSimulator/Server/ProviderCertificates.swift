import Crypto
package import FoundationEssentials
import SwiftASN1
package import X509

/// A throw-away hierarchy for a server: a root, an intermediate and a leaf, all P-256.
package struct ProviderCertificates: Sendable {
    /// The certificate that clients have to trust.
    package let root: Certificate
    package let intermediate: Certificate
    /// The server's own.
    package let leaf: Certificate
    package let rootPEM: String
    package let intermediatePEM: String
    package let leafPEM: String
    /// The key of the leaf in PKCS#8.
    let leafKeyDER: [UInt8]
    /// The certificates that the server presents: leaf and intermediate.
    let chainDER: [[UInt8]]

    /// - Parameters:
    ///   - addresses: 4 or 16 bytes each.
    ///   - leafValidity: An hour ago until tomorrow when left out. Root and intermediate are always valid so long.
    package init(
        dnsNames: [String],
        addresses: [[UInt8]] = [],
        now: Date,
        leafValidity: Range<Date>? = nil
    ) throws {
        let validity = now.addingTimeInterval(-3600)..<now.addingTimeInterval(86_400)
        let rootKey = P256.Signing.PrivateKey()
        let intermediateKey = P256.Signing.PrivateKey()
        let leafKey = P256.Signing.PrivateKey()
        let rootName = try DistinguishedName { CommonName("Demo Provider Root") }
        let intermediateName = try DistinguishedName { CommonName("Demo Provider Intermediate") }

        let root = try CertificateTemplate.authority(maxPathLength: 1)
            .sign(key: rootKey, subject: rootName, validity: validity, by: rootKey, named: rootName)
        let intermediate = try CertificateTemplate.authority(maxPathLength: 0)
            .sign(key: intermediateKey, subject: intermediateName, validity: validity, by: rootKey, named: rootName)
        let names =
            dnsNames.map(GeneralName.dnsName)
            + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let leaf = try CertificateTemplate.server(names)
            .sign(
                key: leafKey,
                subject: DistinguishedName { CommonName(dnsNames.first ?? "provider") },
                validity: leafValidity ?? validity,
                by: intermediateKey,
                named: intermediateName
            )
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        rootPEM = try root.serializeAsPEM().pemString + "\n"
        intermediatePEM = try intermediate.serializeAsPEM().pemString + "\n"
        leafPEM = try leaf.serializeAsPEM().pemString + "\n"
        leafKeyDER = Array(leafKey.derRepresentation)
        chainDER = try [leaf, intermediate].map { try $0.serializeAsPEM().derBytes }
    }
}

extension ProviderCertificates: CustomStringConvertible, CustomReflectable {
    package var description: String { "<certificates of \(leaf.subject)>" }
    /// The leaf's key stays out of whatever prints one of these.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A certificate that is to be signed, by its purpose.
private enum CertificateTemplate {
    case authority(maxPathLength: Int)
    case server([GeneralName])

    func sign(
        key: P256.Signing.PrivateKey,
        subject: DistinguishedName,
        validity: Range<Date>,
        by issuerKey: P256.Signing.PrivateKey,
        named issuer: DistinguishedName
    ) throws -> Certificate {
        let publicKey = Certificate.PublicKey(key.publicKey)
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions(publicKey, issuerKey: Certificate.PublicKey(issuerKey.publicKey)),
            issuerPrivateKey: Certificate.PrivateKey(issuerKey)
        )
    }

    private func extensions(
        _ publicKey: Certificate.PublicKey,
        issuerKey: Certificate.PublicKey
    ) throws -> Certificate.Extensions {
        let issuerIdentifier = SubjectKeyIdentifier(hash: issuerKey).keyIdentifier
        switch self {
        case .authority(let maxPathLength):
            return try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(keyIdentifier: issuerIdentifier)
            }
        case .server(let names):
            return try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(keyIdentifier: issuerIdentifier)
            }
        }
    }
}
