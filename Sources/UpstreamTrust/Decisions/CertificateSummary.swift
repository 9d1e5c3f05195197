package import Bytes
import Crypto
package import FoundationEssentials
package import X509

/// The facts that are told of a certificate: enough to recognize it and to pin it. Names are escaped and cut.
package struct CertificateSummary: Equatable, Sendable {
    package enum Role: String, Sendable {
        case leaf
        case intermediate
        case root
        case notOnPath = "not on the path"
        case unreadable
    }

    package var role: Role
    /// Indicates whether the server presented it; not so for a root that came from the trusted ones alone.
    package var isPresented: Bool
    /// The name of its subject; empty for a certificate that cannot be read, like the issuer; the validity is then nil.
    package var subject: String
    package var issuer: String
    package var notBefore: Date?
    package var notAfter: Date?
    /// The pin of the key; nil when not even that can be found in it.
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

extension CertificateSummary {
    /// Returns what a server presented, told in the order of an accepted path and with its root.
    package static func all(of presentedDER: [[UInt8]], path: [Certificate]) -> [CertificateSummary] {
        all(of: ChainVerifier.seen(presentedDER).map { PresentedCertificate(bytes: $0) }, path: path)
    }

    /// Returns what a server presented, in the order of the path as far as there is one.
    static func all(of presented: [PresentedCertificate], path: [Certificate]) -> [CertificateSummary] {
        var rest = presented
        var summaries: [CertificateSummary] = []
        for (position, certificate) in path.enumerated() {
            let index = rest.firstIndex { $0.certificate == certificate }
            let role: Role = position == 0 ? .leaf : position == path.count - 1 ? .root : .intermediate
            summaries.append(
                CertificateSummary(
                    index.map { rest.remove(at: $0) } ?? PresentedCertificate(certificate),
                    role: role,
                    isPresented: index != nil
                )
            )
        }
        for (position, certificate) in rest.enumerated() {
            let role: Role =
                if !path.isEmpty { .notOnPath } else if position == 0 { .leaf } else { certificate.apparentRole }
            summaries.append(CertificateSummary(certificate, role: role))
        }
        return summaries
    }
}

extension PresentedCertificate {
    /// The role that it seems to have when no path tells.
    fileprivate var apparentRole: CertificateSummary.Role {
        guard let certificate else { return .unreadable }
        return certificate.subject == certificate.issuer ? .root : .intermediate
    }
}

extension PrintableText {
    /// A distinguished name in the order of RFC 4514, escaped and cut; its size does not depend on who made it.
    package static func name(_ name: DistinguishedName) -> String {
        let shown = DistinguishedName(name.suffix(8))
        return shown.isEmpty ? "(empty)" : PrintableText("\(shown)", limit: 128).description
    }
}

/// Times as they are told to a person: RFC 3339, UTC, whole seconds.
package enum UTCText {
    package static func format(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }
}
