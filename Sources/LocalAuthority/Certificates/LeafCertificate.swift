import Bytes
package import FoundationEssentials
import SwiftASN1
package import UpstreamTrust
import X509

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

extension LocalAuthority {
    /// Makes a certificate for exactly this host, valid from an hour ago, for seven days at most and never longer than
    /// the CA.
    ///
    /// - Throws: ``LocalAuthorityError/invalidServerName(_:)`` for what cannot be a host's name, and
    ///   ``LocalAuthorityError/expired(path:at:)`` once the CA has expired.
    package func leaf(for serverName: ServerName, now: Date) throws(LocalAuthorityError) -> LeafCertificate {
        let name = try SubjectName(serverName, isNamed: !certificate.reach.confinesSubjects)
        guard now < certificate.notValidAfter else {
            throw .expired(path: certificatePath, at: certificate.notValidAfter)
        }
        let notBefore = max(
            CertificateTime.floor(now.addingTimeInterval(-Lifetime.backDating)),
            certificate.notValidBefore
        )
        let notAfter = min(notBefore.addingTimeInterval(Lifetime.leaf), certificate.notValidAfter)
        do {
            let leaf = try sign(name, notBefore: notBefore, notAfter: notAfter)
            var serializer = DER.Serializer()
            try serializer.serialize(leaf)
            let bytes = serializer.serializedBytes
            return LeafCertificate(
                certificateDER: bytes,
                chainDER: [bytes] + certificate.presentedDER(for: serverName),
                privateKeyDER: leafKeyDER,
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
            publicKey: leafPublicKey,
            notValidBefore: notBefore,
            notValidAfter: notAfter,
            issuer: certificate.x509.subject,
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
                AuthorityKeyIdentifier(keyIdentifier: keyIdentifier)
                SubjectKeyIdentifier(hash: leafPublicKey)
            },
            issuerPrivateKey: signingKey
        )
    }
}

/// A host as the subject of its certificate: exactly one alternative name, and a common name for people to read where
/// one fits.
///
/// An address is no common name: OpenSSL and GnuTLS hold a common name to the constraints on DNS names where there is
/// no alternative name of that kind.
struct SubjectName {
    let alternativeName: GeneralName
    let distinguishedName: DistinguishedName

    /// - Parameter isNamed: False for no common name at all, as a CA needs that confines the subjects.
    init(_ serverName: ServerName, isNamed: Bool) throws(LocalAuthorityError) {
        var commonName: String?
        switch serverName {
        case .dns(let name):
            guard Self.isHostName(name) else { throw .invalidServerName(serverName.description) }
            alternativeName = .dnsName(name)
            // ub-common-name of RFC 5280 is 64.
            if isNamed, name.utf8.count <= 64 { commonName = name }
        case .ip(let bytes):
            guard bytes.count == 4 || bytes.count == 16 else {
                throw .invalidServerName(serverName.description)
            }
            alternativeName = .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }
        distinguishedName =
            commonName.flatMap { name in try? DistinguishedName { CommonName(name) } } ?? DistinguishedName()
    }

    /// Labels of letters, digits, hyphens and (as found in the wild) underscores: no wildcard, and nothing that would
    /// read as something else.
    private static func isHostName(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { $0.isLowercase || $0.isDigit || "-_".utf8.contains($0) }
        }
    }
}
