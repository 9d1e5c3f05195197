import Crypto
import SwiftASN1
import X509

/// A root for Java, and the CA's certificate as that root signs it.
///
/// Java holds a certificate that it trusts to nothing that stands in it: neither to its name constraints nor to its
/// path length (RFC 5280 section 6.1.1 takes of a trust anchor no more than name and key). To confine the CA for it too,
/// Java trusts a root that has signed the CA's certificate and nothing else, for its key was thrown away, and the CA's
/// certificate is presented below it, where its constraints count. Other clients find the CA's own certificate among
/// those that they trust, and look no further.
struct Anchor: Sendable {
    /// What Java trusts. Without constraints, which Java would not heed in it, and which would rule out the subject of
    /// the certificate below it.
    let root: AuthorityCertificate
    /// The same name, key and constraints as the CA's own certificate.
    let crossCertificate: AuthorityCertificate

    /// Makes a key, signs with it twice and forgets it.
    static func make(for material: AuthorityMaterial) throws -> Anchor {
        let authority = material.certificate.x509
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try AuthorityName.anchor(for: SubjectKeyIdentifier(hash: key.publicKey))
        let certify = { (subject: DistinguishedName, publicKey: Certificate.PublicKey, pathLength: Int) in
            try Certificate(
                version: .v3,
                serialNumber: .randomPositive(),
                publicKey: publicKey,
                notValidBefore: authority.notValidBefore,
                notValidAfter: authority.notValidAfter,
                issuer: name,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    try ExtendedKeyUsage([.serverAuth])
                    if pathLength == 0, let constraints = authority.extensions[oid: .X509ExtensionID.nameConstraints] {
                        constraints
                    }
                    AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
                    SubjectKeyIdentifier(hash: publicKey)
                },
                issuerPrivateKey: key
            )
        }
        return Anchor(
            root: AuthorityCertificate(try certify(name, key.publicKey, 1)),
            crossCertificate: AuthorityCertificate(try certify(authority.subject, authority.publicKey, 0))
        )
    }

    /// Whether it is of the same name and key, so that it verifies the CA's leaves.
    func isOf(_ certificate: AuthorityCertificate) -> Bool {
        self.crossCertificate.x509.publicKey == certificate.x509.publicKey
            && self.crossCertificate.x509.subject == certificate.x509.subject
            && self.root.x509.publicKey.isValidSignature(
                self.crossCertificate.x509.signature,
                for: self.crossCertificate.x509
            )
    }

    /// Whether it has the same reach too, and lives as long.
    func isEqual(to certificate: AuthorityCertificate) -> Bool {
        let constraints = { (one: AuthorityCertificate) in one.x509.extensions[oid: .X509ExtensionID.nameConstraints] }
        return self.isOf(certificate) && constraints(self.crossCertificate) == constraints(certificate)
            && self.crossCertificate.notValidAfter == certificate.notValidAfter
    }
}
