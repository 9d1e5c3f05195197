import Crypto
import FoundationEssentials
import X509

/// The purpose of a certificate.
enum CertificateTemplate {
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
