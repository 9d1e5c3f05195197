import FoundationEssentials
import LocalAuthority
import Logging
import ParaphConfiguration

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
