import Bytes
import FoundationEssentials
import SwiftASN1
import X509

/// Finds the words for a chain that was refused, pins aside: the library's own reasons are text, or missing where no path was found.
/// It explains a decision and takes none.
struct Diagnosis {
    let presented: [PresentedCertificate]
    let policy: TLSPolicy
    let serverName: ServerName
    let time: Date

    /// Why the first certificate presented cannot be used at all.
    var unreadableLeaf: TrustFailureReason {
        switch self.presented.first?.problem {
        case .weakKey(let problem): .weakKey(subject: "the server's certificate", problem: problem)
        case .unreadable(let problem): .unreadableCertificate(position: 1, problem: problem)
        case nil: .noCertificate
        }
    }

    /// The path that came furthest and what it failed at; without any path, how far the chain goes.
    func explain(
        _ failures: [CertificateValidationResult.PolicyFailure],
        searchTooLong: Bool
    ) -> (path: [Certificate], reason: TrustFailureReason) {
        let candidates = failures.map { failure in
            let path = Array(failure.chain)
            let (stage, reason) = self.firstFailure(path)
            return (path: path, stage: stage, reason: reason, words: failure.policyFailureReason)
        }
        guard let best = candidates.max(by: { $0.stage < $1.stage }) else {
            return ([], searchTooLong ? .searchTooLong : self.incompleteChain)
        }
        // The library's words print whole certificates: only the ones that are told are asked for.
        return (best.path, best.reason ?? .otherRule(PrintableText("\(best.words)", limit: 240).description))
    }

    /// In the order in which a path is judged, so that the path with the latest failure is the one that was meant.
    private func firstFailure(_ path: [Certificate]) -> (stage: Int, reason: TrustFailureReason?) {
        if let reason = PathRules.signatures(path) { return (0, reason) }
        if let reason = PathRules.authorities(path) { return (1, reason) }
        if let reason = PathRules.purpose(path) { return (2, reason) }
        if let reason = PathRules.validity(path, at: self.time) { return (3, reason) }
        if self.policy.verifiesHostname, let reason = PathRules.names(path, serverName: self.serverName) {
            return (4, reason)
        }
        return (5, PathRules.nameConstraints(path))
    }

    /// Climbs from the leaf by names and signatures to where the presented chain ends.
    private var incompleteChain: TrustFailureReason {
        var climbed: [Certificate] = []
        guard var top = self.presented.first?.certificate else { return self.unreadableLeaf }
        let known = self.presented.dropFirst().compactMap(\.certificate) + self.configuredRoots
        while !climbed.contains(top) {
            climbed.append(top)
            let subject = PrintableText.name(top.subject)
            if let identifier = top.unknownCriticalExtension {
                return .unknownCriticalExtension(subject: subject, identifier: identifier)
            }
            if top.subject == top.issuer {
                if climbed.count == 1 { return .selfSigned(subject: subject) }
                return self.lacksSystemRoots ? .noTrustedRoots : .untrustedRoot(subject: subject)
            }
            let named = known.filter { $0.subject == top.issuer }
            guard let issuer = named.first(where: { $0.publicKey.isValidSignature(top.signature, for: top) }) else {
                return self.missingIssuer(of: top, isNamed: !named.isEmpty)
            }
            top = issuer
        }
        // Roots that signed one another and none of which is trusted.
        return .untrustedRoot(subject: PrintableText.name(top.subject))
    }

    private func missingIssuer(of certificate: Certificate, isNamed: Bool) -> TrustFailureReason {
        let issuer = PrintableText.name(certificate.issuer)
        let subject = PrintableText.name(certificate.subject)
        if isNamed { return .wrongSignature(issuer: issuer, of: subject) }
        if self.lacksSystemRoots { return .noTrustedRoots }
        for (position, certificate) in self.presented.enumerated() {
            switch certificate.problem {
            case .weakKey(let problem): return .weakKey(subject: "certificate \(position + 1)", problem: problem)
            case .unreadable(let problem):
                return .unreadableCertificate(position: position + 1, problem: problem)
            case nil: continue
            }
        }
        return .missingIssuer(issuer: issuer, of: subject)
    }

    private var lacksSystemRoots: Bool {
        switch self.policy.trust {
        case .system: !SystemRoots.exist
        case .certificates: false
        }
    }

    private var configuredRoots: [Certificate] {
        switch self.policy.trust {
        case .system: []
        case .certificates(let certificates): certificates
        }
    }
}

extension Certificate {
    fileprivate var unknownCriticalExtension: String? {
        let known: [ASN1ObjectIdentifier] = [
            .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
            .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName,
        ]
        let unknown = self.extensions.first { $0.critical && !known.contains($0.oid) }
        return unknown.map { PrintableText("\($0.oid)", limit: 64).description }
    }
}
