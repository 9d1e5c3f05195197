import Bytes
import X509

/// Finds the reason for a chain of which no path leads to a trusted root. It explains a decision and takes none.
struct Diagnosis {
    let presented: [PresentedCertificate]
    let policy: TLSPolicy
    /// Indicates whether the roots of the system are trusted, and it has none.
    let lacksSystemRoots: Bool

    /// The reason why the first certificate presented cannot be used at all.
    var unreadableLeaf: TrustFailureReason {
        switch presented.first?.flaw {
        case .weakKey(let problem): .weakKey(subject: "the server's certificate", problem: problem)
        case .unreadable(let problem): .unreadableCertificate(position: 1, problem: problem)
        case nil: .noCertificate
        }
    }

    /// Climbs from the leaf by names and signatures to where the presented chain ends.
    var incompleteChain: TrustFailureReason {
        var climbed: [Certificate] = []
        guard var top = presented.first?.certificate else { return unreadableLeaf }
        let known = presented.dropFirst().compactMap(\.certificate) + configuredRoots
        while !climbed.contains(top) {
            climbed.append(top)
            let subject = PrintableText.name(top.subject)
            if let identifier = top.unknownCriticalExtension {
                return .unknownCriticalExtension(subject: subject, identifier: identifier)
            }
            if top.subject == top.issuer {
                if climbed.count == 1 { return .selfSigned(subject: subject) }
                return lacksSystemRoots ? .noTrustedRoots : .untrustedRoot(subject: subject)
            }
            let named = known.filter { $0.subject == top.issuer }
            guard let issuer = named.first(where: { $0.publicKey.isValidSignature(top.signature, for: top) }) else {
                return missingIssuer(of: top, isNamed: !named.isEmpty)
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
        if lacksSystemRoots { return .noTrustedRoots }
        for (position, certificate) in presented.enumerated() {
            switch certificate.flaw {
            case .weakKey(let problem): return .weakKey(subject: "certificate \(position + 1)", problem: problem)
            case .unreadable(let problem):
                return .unreadableCertificate(position: position + 1, problem: problem)
            case nil: continue
            }
        }
        return .missingIssuer(issuer: issuer, of: subject)
    }

    private var configuredRoots: [Certificate] {
        switch policy.trust {
        case .system: []
        case .certificates(let certificates): certificates
        }
    }
}
