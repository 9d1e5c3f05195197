import FoundationEssentials
import LocalAuthority
import Routing
import UpstreamTrust

/// The local CA as `paraph ca show` tells it.
struct AuthorityDescription: Encodable {
    let file: String
    let subject: String
    let issuer: String
    let sha256: String
    let notBefore: String
    let notAfter: String
    let madeByParaph: Bool
    /// The number of CAs that may be below it; absent for any number.
    let maximumPathLength: Int?
    let permitted: [String]
    let excluded: [String]
    let hosts: [Host]
    let findings: [DescribedFinding]

    struct Host: Encodable {
        let host: String
        let covered: Bool
    }

    struct DescribedFinding: Encodable {
        let label: String
        let sentence: String
    }

    enum CodingKeys: String, CodingKey {
        case file, subject, issuer, sha256, permitted, excluded, hosts, findings
        case notBefore = "not_before"
        case notAfter = "not_after"
        case madeByParaph = "made_by_paraph"
        case maximumPathLength = "maximum_path_length"
    }

    init(_ report: AuthorityReport, hosts: [HostPattern]) {
        let certificate = report.certificate
        file = report.path
        subject = certificate.subject
        issuer = certificate.issuer
        sha256 = certificate.fingerprint
        notBefore = UTCText.format(certificate.notValidBefore)
        notAfter = UTCText.format(certificate.notValidAfter)
        madeByParaph = certificate.wasMadeByParaph
        maximumPathLength = certificate.maximumPathLength
        permitted = certificate.permitted
        excluded = certificate.excluded
        self.hosts = hosts.map { Host(host: "\($0)", covered: !report.uncovered.contains($0)) }
        findings = report.findings.map { DescribedFinding(label: $0.label, sentence: $0.description) }
    }

    var jsonText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// A line for each member, then one for each host and each finding.
    var text: String {
        var lines = [
            "certificate: \(file)",
            "subject: \(subject)",
            "made by: \(madeByParaph ? "Paraph" : "somebody else (\(issuer)); used as it is")",
            "SHA-256: \(sha256)",
            "valid: \(notBefore) to \(notAfter)",
            "CAs below it: \(maximumPathLength.map { $0 == 0 ? "none" : "at most \($0)" } ?? "any number")",
            "permitted: \(list(permitted, empty: "every name"))",
            "excluded: \(list(excluded, empty: "none"))",
            "hosts:",
        ]
        lines += hosts.map { "    \($0.host): \($0.covered ? "covered" : "NOT covered, clients will refuse it")" }
        if !findings.isEmpty { lines.append("findings:") }
        lines += findings.map { "    \($0.sentence)" }
        if madeByParaph, !findings.isEmpty || hosts.contains(where: { !$0.covered }) {
            lines.append("paraph ca renew makes it anew for the hosts above.")
        }
        return lines.joined(separator: "\n")
    }

    private func list(_ names: [String], empty: String) -> String {
        names.isEmpty ? empty : names.joined(separator: ", ")
    }
}
