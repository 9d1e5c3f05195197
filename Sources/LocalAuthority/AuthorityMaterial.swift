import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A CA's certificate and key, as they are read from files or written to them.
struct AuthorityMaterial: Sendable {
    let certificate: Certificate
    let certificateDER: [UInt8]
    let key: Certificate.PrivateKey

    /// With a line feed at its end.
    var certificatePEM: String { PEMDocument(type: "CERTIFICATE", derBytes: self.certificateDER).pemString + "\n" }

    init(certificate: Certificate, key: Certificate.PrivateKey) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        self.certificate = certificate
        self.certificateDER = serializer.serializedBytes
        self.key = key
    }

    /// Makes a CA: P-256, no CA below it, a name of its own so that two of them are not taken for one another.
    static func make(now: Date) throws -> (material: AuthorityMaterial, keyPEM: String) {
        let privateKey = P256.Signing.PrivateKey()
        let key = Certificate.PrivateKey(privateKey)
        let identifier = SubjectKeyIdentifier(hash: key.publicKey)
        let suffix = identifier.keyIdentifier.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let name = try DistinguishedName {
            OrganizationName("Paraph")
            CommonName("Paraph local CA \(suffix.joined())")
        }
        let notBefore = WholeSeconds.floor(now.addingTimeInterval(-Lifetime.backDating))
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .randomPositive(),
            publicKey: key.publicKey,
            notValidBefore: notBefore,
            notValidAfter: notBefore.addingTimeInterval(Lifetime.authority),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                identifier
            },
            issuerPrivateKey: key
        )
        return (try AuthorityMaterial(certificate: certificate, key: key), privateKey.pemRepresentation + "\n")
    }
}
