package import FoundationEssentials
import SwiftASN1
package import UpstreamTrust
import X509

extension LocalAuthority {
    /// Makes a certificate for exactly this host, valid from an hour ago, for seven days at most and never longer than
    /// the CA.
    ///
    /// - Throws: ``LocalAuthorityError/invalidServerName(_:)`` for what cannot be a host's name, and
    ///   ``LocalAuthorityError/expired(path:at:)`` once the CA has expired.
    package func leaf(for serverName: ServerName, now: Date) throws(LocalAuthorityError) -> LeafCertificate {
        let name = try SubjectName(serverName, isNamed: !self.certificate.reach.confinesSubjects)
        guard now < self.certificate.notValidAfter else {
            throw .expired(path: self.certificatePath, at: self.certificate.notValidAfter)
        }
        let notBefore = max(
            CertificateTime.floor(now.addingTimeInterval(-Lifetime.backDating)),
            self.certificate.notValidBefore
        )
        let notAfter = min(notBefore.addingTimeInterval(Lifetime.leaf), self.certificate.notValidAfter)
        do {
            let leaf = try self.sign(name, notBefore: notBefore, notAfter: notAfter)
            var serializer = DER.Serializer()
            try serializer.serialize(leaf)
            let bytes = serializer.serializedBytes
            return LeafCertificate(
                certificateDER: bytes,
                chainDER: [bytes] + self.certificate.presentedDER(for: serverName),
                privateKeyDER: self.leafKeyDER,
                notBefore: notBefore,
                notAfter: notAfter
            )
        } catch {
            throw .cannotSign
        }
    }

    private func sign(_ name: SubjectName, notBefore: Date, notAfter: Date) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: .randomPositive(),
            publicKey: self.leafPublicKey,
            notValidBefore: notBefore,
            notValidAfter: notAfter,
            issuer: self.certificate.x509.subject,
            subject: name.distinguishedName,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                // The only name of a subject without any is critical: RFC 5280, section 4.2.1.6.
                if name.distinguishedName.isEmpty {
                    Critical(SubjectAlternativeNames([name.alternativeName]))
                } else {
                    SubjectAlternativeNames([name.alternativeName])
                }
                AuthorityKeyIdentifier(keyIdentifier: self.keyIdentifier)
                SubjectKeyIdentifier(hash: self.leafPublicKey)
            },
            issuerPrivateKey: self.signingKey
        )
    }
}
