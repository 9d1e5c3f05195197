package import FoundationEssentials
import SwiftASN1
import X509

extension AuthorityCertificate {
    private static let warningTime: TimeInterval = 30 * 86_400
    private static let longestLife: TimeInterval = 3653 * 86_400

    /// What its operator should know, in the order of its weight. Empty for a CA that Paraph made lately.
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
        if !isOwnIssuer { findings.append(.belowAnother(issuer: self.issuer)) }
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
