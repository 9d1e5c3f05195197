import Crypto
package import FoundationEssentials
import SwiftASN1
import UpstreamTrust
import X509

/// The local CA: signs the certificates that intercepted hosts are served with.
///
/// The key of the leaves is made anew in each process and shared by all of them: a certificate then costs one signature,
/// and the CA's own key signs certificates and nothing else.
package struct LocalAuthority: Sendable {
    /// What clients have to trust, as PEM that ends with a line feed.
    package let certificatePEM: String
    package let certificateDER: [UInt8]
    package let notValidAfter: Date
    /// The PKCS#8 DER of the key of all leaves.
    package let leafKeyDER: [UInt8]
    /// Whether it was made by this call rather than found.
    package let wasCreated: Bool

    let certificatePath: String
    let certificate: Certificate
    let keyIdentifier: ArraySlice<UInt8>
    let signingKey: Certificate.PrivateKey
    let leafPublicKey: Certificate.PublicKey

    init(_ material: AuthorityMaterial, certificatePath: String, wasCreated: Bool) {
        self.certificatePath = certificatePath
        self.certificate = material.certificate
        self.signingKey = material.key
        self.certificatePEM = material.certificatePEM
        self.certificateDER = material.certificateDER
        self.notValidAfter = material.certificate.notValidAfter
        self.keyIdentifier =
            (try? material.certificate.extensions.subjectKeyIdentifier)?.keyIdentifier
            ?? SubjectKeyIdentifier(hash: material.certificate.publicKey).keyIdentifier
        let leafKey = P256.Signing.PrivateKey()
        self.leafKeyDER = Array(leafKey.derRepresentation)
        self.leafPublicKey = Certificate.PublicKey(leafKey.publicKey)
        self.wasCreated = wasCreated
    }

    /// The SHA-256 of the DER certificate, as browsers and `openssl x509 -fingerprint` write it.
    package var fingerprint: String {
        SHA256.hash(data: self.certificateDER)
            .map { octet in
                let digits = String(octet, radix: 16, uppercase: true)
                return digits.count == 1 ? "0" + digits : digits
            }
            .joined(separator: ":")
    }
}

extension LocalAuthority: CustomStringConvertible, CustomReflectable {
    package var description: String { "<local CA \(self.fingerprint)>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
