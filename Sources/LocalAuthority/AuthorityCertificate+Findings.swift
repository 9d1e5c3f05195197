package import FoundationEssentials
import SwiftASN1
import X509

extension AuthorityCertificate {
    private static let warningTime: TimeInterval = 30 * 86_400
    private static let longestLife: TimeInterval = 3653 * 86_400

    /// What its operator should know, in the order of its weight. Empty for a CA that Paraph made lately.
    package func findings(at now: Date) -> [AuthorityFinding] {
        self.nameFindings + self.powerFindings + self.lifeFindings(at: now)
    }

    private var nameFindings: [AuthorityFinding] {
        guard self.reach.isConstrained else { return [.anyName] }
        guard self.reach.isReadable else { return [.unreadableConstraints] }
        var findings: [AuthorityFinding] = []
        if !self.reach.confinesDomains { findings.append(.anyDomain) }
        if !self.reach.confinesAddresses { findings.append(.anyAddress) }
        if self.wasMadeByParaph {
            if !self.reach.confinesSubjects { findings.append(.anySubject) }
        } else if self.x509.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == false {
            findings.append(.constraintsNotCritical)
        }
        return findings
    }

    private var powerFindings: [AuthorityFinding] {
        var findings: [AuthorityFinding] = []
        if self.maximumPathLength != 0 { findings.append(.authoritiesBelow(maximum: self.maximumPathLength)) }
        if let purposes = try? self.x509.extensions.extendedKeyUsage {
            if purposes.contains(.any) {
                findings.append(.anyPurpose)
            } else if !purposes.contains(.serverAuth) {
                findings.append(.noServers)
            }
        } else {
            findings.append(.anyPurpose)
        }
        if self.x509.extensions[oid: .X509ExtensionID.keyUsage] == nil { findings.append(.noKeyUsage) }
        if self.x509.signatureAlgorithm == .sha1WithRSAEncryption { findings.append(.signedWithSHA1) }
        if !self.isOwnIssuer { findings.append(.belowAnother(issuer: self.issuer)) }
        return findings
    }

    private func lifeFindings(at now: Date) -> [AuthorityFinding] {
        var findings: [AuthorityFinding] = []
        let life = self.notValidAfter.timeIntervalSince(self.notValidBefore)
        if life > Self.longestLife { findings.append(.longLived(days: Int(life / 86_400))) }
        if self.notValidAfter.timeIntervalSince(now) < Self.warningTime {
            findings.append(.expiresSoon(at: self.notValidAfter))
        }
        return findings
    }
}
