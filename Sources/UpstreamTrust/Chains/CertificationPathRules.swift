import Bytes
import FoundationEssentials
import X509

/// The rules that a path from the server's certificate to a trusted root is held to: those of RFC 5280, section 6.1,
/// but for name constraints (``NameConstraintCheck``), and those beside it.
///
/// `path` is leaf first and ends with the trusted root; it is never empty.
enum CertificationPathRules {
    /// SHA-1, which X509 verifies like any other. A root's signature upon itself says nothing and is not looked at.
    static func signatures(_ path: [PathMember]) -> TrustFailureReason? {
        let weak = path.dropLast().first { $0.certificate.signatureAlgorithm == .sha1WithRSAEncryption }
        return weak.map { .weakSignature(subject: name($0)) }
    }

    static func criticalExtensions(_ path: [PathMember]) -> TrustFailureReason? {
        for member in path {
            guard let identifier = member.unknownCriticalExtension else { continue }
            return .unknownCriticalExtension(subject: name(member), identifier: identifier)
        }
        return nil
    }

    /// Checks the basic constraints (RFC 5280, section 6.1.4, k to m). In version 1 there are none, so that such a
    /// certificate cannot say that it is an authority. Only a root may be one: it is trusted for what it is.
    ///
    /// Self-issued certificates do not count for the length of a path.
    static func authorities(_ path: [PathMember]) -> TrustFailureReason? {
        let isLeafAlone = path.count == 1
        var below = 0
        for (position, member) in path.enumerated().dropFirst(isLeafAlone ? 0 : 1) {
            if member.certificate.version != .v1 || isLeafAlone || position < path.count - 1 {
                switch try? member.basicConstraints.get() {
                case .isCertificateAuthority(let maximum?) where maximum < below:
                    return .pathTooLong(subject: name(member))
                case .isCertificateAuthority: break
                case .notCertificateAuthority, nil:
                    return isLeafAlone ? .leafIsNoRoot(subject: name(member)) : .notAnAuthority(subject: name(member))
                }
            }
            if !member.isSelfIssued { below += 1 }
        }
        return nil
    }

    static func flaws(_ path: [PathMember]) -> TrustFailureReason? {
        for (position, member) in path.enumerated() {
            guard let flaw = position == 0 ? member.flawAsLeaf : member.flawAsAuthority else { continue }
            return .flawedCertificate(subject: name(member), flaw)
        }
        return nil
    }

    /// An authority's key signs whatever it likes: one that also serves leaks with a server. A certificate that is
    /// trusted itself is its own authority, and may; and one without a key usage is let pass, since `openssl req -x509
    /// -CA` marks every certificate that it makes as an authority.
    static func leafIsNoAuthority(_ path: [PathMember]) -> TrustFailureReason? {
        guard path.count > 1, path[0].hasKeyUsage, path[0].isAuthority else { return nil }
        return .authorityAsServer(subject: name(path[0]))
    }

    /// Key usage and extended key usage (RFC 5280, sections 4.2.1.3 and 4.2.1.12): a certificate for mail or for
    /// clients must not pass for a server's. A root is trusted for what it is trusted for.
    static func purpose(_ path: [PathMember]) -> TrustFailureReason? {
        for (position, member) in path.enumerated() {
            let isRoot = position == path.count - 1 && position > 0
            guard member.allowsServers || isRoot, position == 0 || member.mayKeySignCertificates else {
                return .wrongPurpose(subject: name(member))
            }
        }
        return nil
    }

    /// Checks the validity: both ends are within it, and are whole seconds (RFC 5280, section 4.1.2.5).
    static func validity(_ path: [PathMember], at time: Date) -> TrustFailureReason? {
        let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        for member in path {
            let certificate = member.certificate
            if time < certificate.notValidBefore {
                return .notYetValid(subject: name(member), at: certificate.notValidBefore)
            }
            if time > certificate.notValidAfter {
                return .expired(subject: name(member), at: certificate.notValidAfter)
            }
        }
        return nil
    }

    private static func name(_ member: PathMember) -> String { PrintableText.name(member.certificate.subject) }
}
