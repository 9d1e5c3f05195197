import Bytes
import FoundationEssentials
import X509

/// The rules that a path from the server's certificate to a trusted root is held to beyond RFC 5280's path validation,
/// and those of it that are worth a sentence of their own when they fail.
///
/// `path` is leaf first and ends with the trusted root; it is never empty.
enum PathRules {
    /// Key usage and extended key usage (RFC 5280 sections 4.2.1.3 and 4.2.1.12), which X509's policies leave alone: a
    /// certificate for mail or for clients must not pass for a server's. A root is trusted for what it is trusted for.
    static func purpose(_ path: [Certificate]) -> TrustFailureReason? {
        for (position, certificate) in path.enumerated() {
            let isRoot = position == path.count - 1 && position > 0
            guard allowsServers(certificate) || isRoot, certificate.mayKeySignCertificates || position == 0 else {
                return .wrongPurpose(subject: PrintableText.name(certificate.subject))
            }
        }
        return nil
    }

    /// SHA-1, which X509 verifies like any other. A root's signature upon itself says nothing and is not looked at.
    static func signatures(_ path: [Certificate]) -> TrustFailureReason? {
        for certificate in path.dropLast() where certificate.signatureAlgorithm == .sha1WithRSAEncryption {
            return .weakSignature(subject: PrintableText.name(certificate.subject))
        }
        return nil
    }

    static func names(_ path: [Certificate], serverName: ServerName) -> TrustFailureReason? {
        let names = ServerCertificateNames(path.first)
        if names.contains(serverName) { return nil }
        return .wrongHostname(wanted: serverName.description, names: names.shown)
    }

    static func pins(_ path: [Certificate], policy: PinningPolicy) -> TrustFailureReason? {
        if policy.appliesTo.certificates(of: path).contains(where: { policy.has($0) }) { return nil }
        return .noPinMatched(policy.mode, policy.appliesTo)
    }

    static func validity(_ path: [Certificate], at time: Date) -> TrustFailureReason? {
        for certificate in path {
            if time < certificate.notValidBefore {
                return .notYetValid(subject: PrintableText.name(certificate.subject), at: certificate.notValidBefore)
            }
            if time > certificate.notValidAfter {
                return .expired(subject: PrintableText.name(certificate.subject), at: certificate.notValidAfter)
            }
        }
        return nil
    }

    /// Basic constraints (RFC 5280 section 6.1.4, k to m). X509's policies take every certificate of version 1, which
    /// can have none, for an authority. Only a root may be one: it is trusted for what it is.
    static func authorities(_ path: [Certificate]) -> TrustFailureReason? {
        let authorities = path.count == 1 ? path[...] : path.dropFirst()
        for (below, certificate) in authorities.enumerated() {
            if certificate.version == .v1, path.count > 1, below == authorities.count - 1 { continue }
            switch try? certificate.extensions.basicConstraints {
            case .isCertificateAuthority(let maximum?) where maximum < below:
                return .pathTooLong(subject: PrintableText.name(certificate.subject))
            case .isCertificateAuthority: continue
            case .notCertificateAuthority, nil:
                let subject = PrintableText.name(certificate.subject)
                return path.count == 1 ? .leafIsNoRoot(subject: subject) : .notAnAuthority(subject: subject)
            }
        }
        return nil
    }

    /// The authority that confines the names below it, when there is one: for the words of a path that failed.
    static func nameConstraints(_ path: [Certificate]) -> TrustFailureReason? {
        let confining = path.dropFirst().first { $0.extensions[oid: .X509ExtensionID.nameConstraints] != nil }
        return confining.map { .nameConstraints(subject: PrintableText.name($0.subject)) }
    }

    private static func allowsServers(_ certificate: Certificate) -> Bool {
        guard let usage = try? certificate.extensions.extendedKeyUsage else {
            return certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] == nil
        }
        return usage.contains(.serverAuth) || usage.contains(.any)
    }
}
