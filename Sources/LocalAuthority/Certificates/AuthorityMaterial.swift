import Bytes
import Crypto
import FoundationEssentials
import X509

/// A CA's certificate and key, as they are read from files or written to them.
struct AuthorityMaterial: Sendable {
    let certificate: AuthorityCertificate
    let key: Certificate.PrivateKey

    /// Indicates whether the key is the certificate's.
    var isPair: Bool { certificate.x509.publicKey == key.publicKey }

    /// Makes a CA for these hosts, with a name of its own so that two of them are not taken for one another.
    static func make(reach: AuthorityReach, now: Date) throws -> (material: AuthorityMaterial, keyPEM: String) {
        let privateKey = P256.Signing.PrivateKey()
        let key = Certificate.PrivateKey(privateKey)
        let name = try AuthorityName.make(for: SubjectKeyIdentifier(hash: key.publicKey))
        let material = try Self.make(name: name, key: key, reach: reach, now: now)
        return (material, privateKey.pemRepresentation + "\n")
    }

    /// The same CA with other hosts: whoever trusts either certificate accepts a leaf as far as that one reaches.
    func renewed(reach: AuthorityReach, now: Date) throws -> AuthorityMaterial {
        try Self.make(name: certificate.x509.subject, key: key, reach: reach, now: now)
    }

    /// No CA below it, and confined to servers of these hosts: a stolen key is good for no other host, and for neither
    /// mail nor code nor clients.
    private static func make(
        name: DistinguishedName,
        key: Certificate.PrivateKey,
        reach: AuthorityReach,
        now: Date
    ) throws -> AuthorityMaterial {
        let notBefore = CertificateTime.floor(now.addingTimeInterval(-Lifetime.backDating))
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
                try ExtendedKeyUsage([.serverAuth])
                // Not critical: Go does not know constraints on subjects, and refuses whatever is below a critical one.
                // It heeds those on names and addresses all the same.
                reach.constraints
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: key
        )
        return AuthorityMaterial(certificate: AuthorityCertificate(certificate), key: key)
    }
}

/// The subject of a CA that Paraph makes. It says which key the CA has, so that two of them are not taken for one
/// another, and that Paraph made it.
enum AuthorityName {
    static func make(for identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        try Self.name("Paraph local CA", identifier)
    }

    static func anchor(for identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        try Self.name("Paraph anchor", identifier)
    }

    private static func name(_ text: String, _ identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        let suffix = Hexadecimal.encode(identifier.keyIdentifier.prefix(4))
        return try DistinguishedName {
            OrganizationName("Paraph")
            CommonName("\(text) \(suffix)")
        }
    }

    /// Returns whether a certificate has the name that it would have been given here, and is its own issuer.
    static func isParaphs(_ certificate: Certificate) -> Bool {
        guard let name = try? make(for: SubjectKeyIdentifier(hash: certificate.publicKey)) else { return false }
        return certificate.subject == name && certificate.issuer == name
    }
}
