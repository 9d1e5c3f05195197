import Bytes
import Crypto
package import FoundationEssentials
package import Routing
import SwiftASN1
package import UpstreamTrust
import X509

/// The facts that are told of a CA's certificate, for which its key need not be at hand.
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

    /// Returns whether a certificate is an earlier one of this CA, with its name and its key but perhaps other
    /// constraints. A client must not have both: which of them it looks at is left to its library.
    package func replaces(der: [UInt8]) -> Bool {
        guard der != self.der, let other = try? Certificate(derEncoded: der) else { return false }
        return other.subject == x509.subject && other.publicKey == x509.publicKey
    }

    /// The certificates that clients have to trust, as PEM that ends with a line feed: the CA, and those that it is
    /// below, which many clients ask for.
    package var pem: String {
        ([self] + issuers)
            .map { PEMDocument(type: "CERTIFICATE", derBytes: $0.der).pemString + "\n" }
            .joined()
    }

    /// Returns what is presented with its leaf for this host: what leads to those that clients trust, without those
    /// themselves (RFC 8446, section 4.4.2).
    func presentedDER(for name: ServerName) -> [[UInt8]] {
        if isOwnIssuer { return anchors.compactMap { $0.crossCertificate(for: name)?.der } }
        return [der] + issuers.filter { !$0.isSelfSigned }.map(\.der)
    }

    package var subject: String { PrintableText.name(x509.subject) }
    package var issuer: String { PrintableText.name(x509.issuer) }
    package var isOwnIssuer: Bool { x509.subject == x509.issuer }
    /// Indicates whether it is a root.
    private var isSelfSigned: Bool {
        isOwnIssuer && x509.publicKey.isValidSignature(x509.signature, for: x509)
    }

    package var notValidBefore: Date { x509.notValidBefore }
    package var notValidAfter: Date { x509.notValidAfter }

    /// Indicates whether Paraph made it and can renew it.
    package var wasMadeByParaph: Bool { AuthorityName.isParaphs(x509) }

    /// The SHA-256 of the DER certificate, as browsers and `openssl x509 -fingerprint` write it.
    package var fingerprint: String {
        Hexadecimal.encode(SHA256.hash(data: der), uppercase: true, separator: UInt8(ascii: ":"))
    }

    /// Returns whether clients accept its leaf for this host.
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

    /// The number of CAs that may be below it; nil for any number.
    package var maximumPathLength: Int? {
        guard case .isCertificateAuthority(let maximum) = try? x509.extensions.basicConstraints else {
            return 0
        }
        return maximum
    }
}

extension AuthorityCertificate {
    /// The first certificate of a PEM file; nil when there is no file. The key is not looked at.
    package static func read(path: String) throws(LocalAuthorityError) -> AuthorityCertificate? {
        guard let file = try FileAccess.read(path) else { return nil }
        let certificate = try AuthorityFiles.certificate(file.bytes, path: path)
        return certificate.with(anchors: AuthorityFiles.anchors(of: certificate, path: path))
    }
}

extension AuthorityCertificate {
    private static let warningTime: TimeInterval = 30 * 86_400
    private static let longestLife: TimeInterval = 3653 * 86_400

    /// Returns what its operator should know, in the order of its weight. Empty for a CA that Paraph made lately.
    package func findings(at now: Date) -> [AuthorityFinding] {
        nameFindings + powerFindings + lifeFindings(at: now)
    }

    private var nameFindings: [AuthorityFinding] {
        guard reach.isConstrained else { return [.anyName] }
        guard reach.isReadable else { return [.unreadableConstraints] }
        var findings: [AuthorityFinding] = []
        if !reach.confinesDomains { findings.append(.anyDomain) }
        if !reach.confinesAddresses { findings.append(.anyAddress) }
        if wasMadeByParaph {
            if !reach.confinesSubjects { findings.append(.anySubject) }
        } else if x509.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == false {
            findings.append(.constraintsNotCritical)
        }
        return findings
    }

    private var powerFindings: [AuthorityFinding] {
        var findings: [AuthorityFinding] = []
        if maximumPathLength != 0 { findings.append(.authoritiesBelow(maximum: maximumPathLength)) }
        if let purposes = try? x509.extensions.extendedKeyUsage {
            if purposes.contains(.any) {
                findings.append(.anyPurpose)
            } else if !purposes.contains(.serverAuth) {
                findings.append(.noServers)
            }
        } else {
            findings.append(.anyPurpose)
        }
        if x509.extensions[oid: .X509ExtensionID.keyUsage] == nil { findings.append(.noKeyUsage) }
        if x509.signatureAlgorithm == .sha1WithRSAEncryption { findings.append(.signedWithSHA1) }
        if !isOwnIssuer { findings.append(.belowAnother(issuer: issuer)) }
        return findings
    }

    private func lifeFindings(at now: Date) -> [AuthorityFinding] {
        var findings: [AuthorityFinding] = []
        let life = notValidAfter.timeIntervalSince(notValidBefore)
        if life > Self.longestLife { findings.append(.longLived(days: Int(life / 86_400))) }
        if notValidAfter.timeIntervalSince(now) < Self.warningTime {
            findings.append(.expiresSoon(at: notValidAfter))
        }
        return findings
    }
}
