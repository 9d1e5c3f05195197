import Crypto
package import FoundationEssentials
package import Routing
package import UpstreamTrust
import X509

/// The local CA: signs the certificates that intercepted hosts are served with.
///
/// The key of the leaves is made anew in each process and shared by all of them: a certificate then costs one
/// signature, and the CA's own key signs certificates and nothing else.
package struct LocalAuthority: Sendable {
    /// What clients have to trust.
    package let certificate: AuthorityCertificate
    /// The PKCS#8 DER of the key of all leaves.
    package let leafKeyDER: [UInt8]
    /// Whether it was made by this call rather than found.
    package let wasCreated: Bool

    let certificatePath: String
    let keyIdentifier: ArraySlice<UInt8>
    let signingKey: Certificate.PrivateKey
    let leafPublicKey: Certificate.PublicKey

    init(_ material: AuthorityMaterial, certificatePath: String, wasCreated: Bool) {
        self.certificatePath = certificatePath
        certificate = material.certificate
        signingKey = material.key
        keyIdentifier =
            (try? material.certificate.x509.extensions.subjectKeyIdentifier)?.keyIdentifier
            ?? SubjectKeyIdentifier(hash: material.certificate.x509.publicKey).keyIdentifier
        let leafKey = P256.Signing.PrivateKey()
        leafKeyDER = Array(leafKey.derRepresentation)
        leafPublicKey = Certificate.PublicKey(leafKey.publicKey)
        self.wasCreated = wasCreated
    }

    /// What clients have to trust, as PEM that ends with a line feed.
    package var certificatePEM: String { certificate.pem }
    package var certificateDER: [UInt8] { certificate.der }
    package var notValidAfter: Date { certificate.notValidAfter }
    package var fingerprint: String { certificate.fingerprint }

    /// As ``AuthorityCertificate/covers(_:)``.
    package func covers(_ name: ServerName) -> Bool { certificate.covers(name) }

    /// As ``AuthorityCertificate/uncovered(by:)``.
    package func uncovered(by reach: AuthorityReach) -> [HostPattern] { certificate.uncovered(by: reach) }
}

extension LocalAuthority: CustomStringConvertible, CustomReflectable {
    package var description: String { "<local CA \(fingerprint)>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
