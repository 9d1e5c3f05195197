import FoundationEssentials
import LocalAuthority
import Logging
import ParaphConfiguration
import Routing

/// The report on what an operator should know of the local CA, a sentence each: what it may sign that it should not,
/// which hosts it does not reach, and what to do.
struct AuthorityReport {
    let certificate: AuthorityCertificate
    /// The path of the certificate, as the operator named it.
    let path: String
    let findings: [AuthorityFinding]
    /// The hosts whose leaves clients would refuse.
    let uncovered: [HostPattern]
    /// Indicates whether the CA was renewed already, so that all is well as soon as the proxy takes the new one.
    let isRenewed: Bool

    /// - Parameter successor: The CA that a reload takes in its place; nil: none.
    init(
        _ certificate: AuthorityCertificate,
        configuration: Configuration,
        now: Date,
        successor: AuthorityCertificate? = nil
    ) {
        self.certificate = certificate
        isRenewed = successor.map { Self($0, configuration: configuration, now: now).sentences.isEmpty } ?? false
        path = configuration.authority.certificate
        findings = certificate.findings(at: now)
        uncovered = certificate.uncovered(by: configuration.reach)
    }

    /// The problems, a sentence each; empty when all is well.
    var sentences: [String] {
        findings.map { "the local CA \(path): \($0); \(remedyOfFinding)" } + reachSentences
    }

    /// The problems that clients will run into.
    var reachSentences: [String] {
        guard !uncovered.isEmpty else { return [] }
        let hosts = uncovered.map { "\($0)" }.joined(separator: ", ")
        return [
            "the local CA \(path) does not reach \(hosts): clients will refuse its certificates for "
                + "\(uncovered.count == 1 ? "this host" : "these hosts"); \(remedyOfReach)"
        ]
    }

    private static let renewal = "run paraph ca renew, and give clients the new certificate in place of the old one"

    private static let reload =
        "it was renewed already: reload the proxy (SIGHUP, or POST /reload), or start it again, and give clients the new "
        + "certificate in place of the old one"

    private var remedyOfFinding: String {
        if isRenewed { return Self.reload }
        return certificate.wasMadeByParaph ? Self.renewal : "Paraph did not make it and uses it as it is"
    }

    private var remedyOfReach: String {
        if isRenewed { return Self.reload }
        return certificate.wasMadeByParaph ? Self.renewal : "have its certificate made anew where it was made"
    }
}

extension AuthorityReport {
    /// Says at a start, and after each reload, which CA there is and what is wrong with it.
    static func tell(_ authority: LocalAuthority, configuration: Configuration, logger: Logger) {
        let report = AuthorityReport(authority.certificate, configuration: configuration, now: Date())
        logger.info(
            authority.wasCreated ? "local CA made" : "local CA loaded",
            metadata: [
                "certificate": "\(report.path)",
                "sha256": "\(authority.fingerprint)",
            ]
        )
        for sentence in report.sentences { logger.warning("\(sentence)") }
    }
}
