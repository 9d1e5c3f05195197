import Bytes
import Crypto
package import FoundationEssentials
package import Routing
import SwiftASN1
package import UpstreamTrust
import X509

/// What is told of a CA's certificate, for which its key need not be at hand.
package struct AuthorityCertificate: Sendable {
    let x509: Certificate
    let reach: CertificateReach

    package let der: [UInt8]
    /// The newest first; none for a CA that Paraph did not make.
    private(set) var anchors: [Anchor]
    /// The CAs that it is below, as they follow it in its file.
    let issuers: [AuthorityCertificate]

    init(_ certificate: Certificate, issuers: [AuthorityCertificate] = [], anchors: [Anchor] = []) {
        var serializer = DER.Serializer()
        // Three stretches of bytes in a row, which were serialized or parsed before: nothing in it can throw.
        try? serializer.serialize(certificate)
        x509 = certificate
        der = serializer.serializedBytes
        reach = CertificateReach(certificate)
        self.anchors = anchors
        self.issuers = issuers
    }

    func with(anchors: [Anchor]) -> AuthorityCertificate {
        var other = self
        other.anchors = anchors
        return other
    }

    /// The DER certificate for a truststore of Java's, which would not hold ``der`` to its constraints.
    package var trustStoreDER: [UInt8] { anchors.first?.root.der ?? der }

    /// Whether a certificate is an earlier one of this CA, with its name and its key but perhaps other constraints. A
    /// client must not have both: which of them it looks at is left to its library.
    package func replaces(der: [UInt8]) -> Bool {
        guard der != self.der, let other = try? Certificate(derEncoded: der) else { return false }
        return other.subject == x509.subject && other.publicKey == x509.publicKey
    }

    /// What clients have to trust, as PEM that ends with a line feed: the CA, and those that it is below, which many
    /// clients ask for.
    package var pem: String {
        ([self] + issuers)
            .map { PEMDocument(type: "CERTIFICATE", derBytes: $0.der).pemString + "\n" }
            .joined()
    }

    /// What is presented with its leaf for this host: what leads to those that clients trust, without those themselves
    /// (RFC 8446, section 4.4.2).
    func presentedDER(for name: ServerName) -> [[UInt8]] {
        if isOwnIssuer { return anchors.compactMap { $0.crossCertificate(for: name)?.der } }
        return [der] + issuers.filter { !$0.isSelfSigned }.map(\.der)
    }

    package var subject: String { PrintableText.name(x509.subject) }
    package var issuer: String { PrintableText.name(x509.issuer) }
    package var isOwnIssuer: Bool { x509.subject == x509.issuer }
    /// Whether it is a root.
    private var isSelfSigned: Bool {
        isOwnIssuer && x509.publicKey.isValidSignature(x509.signature, for: x509)
    }

    package var notValidBefore: Date { x509.notValidBefore }
    package var notValidAfter: Date { x509.notValidAfter }

    /// Whether Paraph made it and can renew it.
    package var wasMadeByParaph: Bool { AuthorityName.isParaphs(x509) }

    /// The SHA-256 of the DER certificate, as browsers and `openssl x509 -fingerprint` write it.
    package var fingerprint: String {
        Hexadecimal.encode(SHA256.hash(data: der), uppercase: true, separator: UInt8(ascii: ":"))
    }

    /// Whether clients accept its leaf for this host.
    package func covers(_ name: ServerName) -> Bool { reach.covers(name) }

    /// The hosts whose leaves clients refuse, because the certificate is confined to others. Of a wildcard, some may be
    /// accepted.
    package func uncovered(by wanted: AuthorityReach) -> [HostPattern] {
        wanted.hosts.filter { !reach.covers($0) }
    }

    /// The kinds of names that it is confined to, in the words of `openssl x509 -text`; empty when it is not.
    package var permitted: [String] {
        reach.permittedDomains.map { "DNS:\($0)" } + reach.permittedAddresses.map { "IP:\($0)" }
    }

    /// The kinds of names that are ruled out.
    package var excluded: [String] {
        reach.excludedDomains.map { "DNS:\($0)" } + reach.excludedAddresses.map { "IP:\($0)" }
    }

    /// How many CAs may be below it; nil for any number.
    package var maximumPathLength: Int? {
        guard case .isCertificateAuthority(let maximum) = try? x509.extensions.basicConstraints else {
            return 0
        }
        return maximum
    }
}
