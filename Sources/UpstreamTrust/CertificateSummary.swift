import Bytes
package import FoundationEssentials
import Crypto
import X509

/// What is told of a certificate: enough to recognize it and to pin it. Names are escaped and cut.
package struct CertificateSummary: Equatable, Sendable {
    package enum Role: String, Sendable {
        case leaf
        case intermediate
        case root
        case notOnPath = "not on the path"
        case unreadable
    }

    package var role: Role
    /// False for the root that came from the trusted ones alone.
    package var isPresented: Bool
    /// Empty for a certificate that cannot be read, like the issuer; the validity is then nil.
    package var subject: String
    package var issuer: String
    package var notBefore: Date?
    package var notAfter: Date?
    /// nil when not even the key can be found in it.
    package var publicKeyPin: Pin?
    package var certificatePin: Pin

    init(_ certificate: PresentedCertificate, role: Role, isPresented: Bool = true) {
        self.role = certificate.certificate == nil ? .unreadable : role
        self.isPresented = isPresented
        subject = certificate.certificate.map { PrintableText.name($0.subject) } ?? ""
        issuer = certificate.certificate.map { PrintableText.name($0.issuer) } ?? ""
        notBefore = certificate.certificate?.notValidBefore
        notAfter = certificate.certificate?.notValidAfter
        publicKeyPin = certificate.publicKeyBytes.map { Pin(SHA256.hash(data: $0)) }
        certificatePin = Pin(SHA256.hash(data: certificate.bytes))
    }
}
