import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import TestSupport
import X509

/// A CA of an operator's own, or something that is none.
struct OwnAuthority {
    let certificatePEM: String
    let keyPEM: String

    init(
        _ key: Certificate.PrivateKey = Certificate.PrivateKey(P256.Signing.PrivateKey()),
        issuer: (name: DistinguishedName, key: Certificate.PrivateKey)? = nil,
        start: TimeInterval = -86_400,
        end: TimeInterval = 86_400,
        constraints: BasicConstraints? = .isCertificateAuthority(maxPathLength: 0),
        keyUsage: KeyUsage? = nil,
        purposes: [ExtendedKeyUsage.Usage] = [],
        nameConstraints: NameConstraints? = nil,
        isNamesCritical: Bool = true,
        signatureAlgorithm: Certificate.SignatureAlgorithm = .ecdsaWithSHA256
    ) throws {
        let name = try DistinguishedName { CommonName("An operator's own CA") }
        let signingKey = issuer?.key ?? key
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: AuthorityDirectory.now.addingTimeInterval(start),
            notValidAfter: AuthorityDirectory.now.addingTimeInterval(end),
            issuer: issuer?.name ?? name,
            subject: name,
            signatureAlgorithm: signatureAlgorithm,
            extensions: Certificate.Extensions {
                if let constraints {
                    Critical(constraints)
                }
                if let keyUsage {
                    Critical(keyUsage)
                }
                if !purposes.isEmpty {
                    try ExtendedKeyUsage(purposes)
                }
                if let nameConstraints {
                    try Certificate.Extension(nameConstraints, critical: isNamesCritical)
                }
            },
            issuerPrivateKey: signingKey
        )
        certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
        keyPEM = try key.serializeAsPEM().pemString + "\n"
    }

    func write(to place: AuthorityDirectory) throws {
        try place.directory.write(certificatePEM, to: "ca.pem", mode: 0o644)
        try place.directory.write(keyPEM, to: "ca.key")
    }
}
