/// A chain that was not accepted: why, what the server presented, and what was asked of it.
package struct TrustFailure: Error, Equatable, Sendable {
    package var reason: TrustFailureReason
    package var serverName: ServerName
    /// The certificates in the order of the path as far as one was found, the ones beside it after them. At most
    /// ``ChainVerifier/maximumPresented`` and a root.
    package var presented: [CertificateSummary]
    /// The number of certificates that were presented beyond those that ``presented`` tells of.
    package var unseen: Int
    package var pinning: PinningPolicy?

    package var label: String { reason.label }
}

extension TrustFailure: CustomStringConvertible {
    package var description: String { sentence }
}

extension TrustFailure {
    /// The sentence, the chain with the pins of each certificate as YAML list items ready to paste, and the pins
    /// configured. A few kilobytes at most, whoever made the certificates.
    package var detail: String {
        var lines = [sentence + ".", ""]
        if presented.isEmpty {
            lines.append("# No certificate was presented.")
        } else {
            lines.append("# The chain, and the pins of each of its certificates:")
            for certificate in presented { lines += certificate.lines(configured: self.pinning?.pins ?? []) }
        }
        if unseen > 0 { lines.append("# \(unseen) more were presented, and not looked at.") }
        lines.append("")
        if let pinning {
            let position = pinning.appliesTo == .any ? "" : ", applies_to \(pinning.appliesTo.rawValue)"
            lines.append("# The pins configured (mode \(pinning.mode.rawValue)\(position)):")
            lines += pinning.pins.prefix(Self.maximumPins).map { "- \($0.text)" }
            if pinning.pins.isEmpty { lines.append("# none, so that no chain is accepted") }
            let more = pinning.pins.count - Self.maximumPins
            if more > 0 { lines.append("# and \(more) more") }
        } else {
            lines.append("# No pins are configured.")
        }
        return lines.joined(separator: "\n")
    }

    private static var maximumPins: Int { 16 }
}

extension CertificateSummary {
    /// - Parameter configured: Pins that are marked, for they are of the right certificate in the wrong place, or of
    ///   the other mode.
    fileprivate func lines(configured: [Pin]) -> [String] {
        var heading = "# \(role.rawValue)"
        if !isPresented { heading += " (trusted, not presented)" }
        if let notBefore, let notAfter {
            heading += ": subject \"\(subject)\", issuer \"\(issuer)\", "
            heading += "valid from \(UTCText.format(notBefore)) to \(UTCText.format(notAfter))"
        }
        var lines = [heading]
        for (pin, mode) in [(publicKeyPin, PinningMode.publicKey), (certificatePin, .certificate)] {
            guard let pin else { continue }
            lines.append("- \(pin.text)  # \(mode.rawValue)\(configured.contains(pin) ? ", configured" : "")")
        }
        return lines
    }
}

extension TrustFailure {
    /// The fault in one sentence of one line.
    package var sentence: String { sentence(trustSetting: "tls.trust") }

    /// The same where another setting than an API's says which roots are trusted.
    package func sentence(trustSetting: String) -> String {
        "the certificate of \(serverName) is not accepted: \(reason.clause(trustSetting))"
    }
}

extension TrustFailureReason {
    fileprivate func clause(_ trustSetting: String) -> String {
        switch self {
        case .noCertificate:
            "the server presented none"
        case .unreadableCertificate(let position, let problem):
            "certificate \(position) of the presented chain cannot be read: \(problem)"
        case .weakKey(let subject, let problem):
            "\(subject) has a weak key: \(problem)"
        case .weakSignature(let subject):
            "\(quoted(subject)) is signed with SHA-1, which can be forged"
        case .selfSigned(let subject):
            "\(quoted(subject)) is self-signed and not among the trusted roots (\(trustSetting))"
        case .untrustedRoot(let subject):
            "the chain ends at the root \(quoted(subject)), which is not among the trusted roots (\(trustSetting))"
        case .missingIssuer(let issuer, let subject):
            "\(quoted(issuer)), the issuer of \(quoted(subject)), is neither among the certificates presented nor among "
                + "the trusted roots (the server leaves out an intermediate, or \(trustSetting) lacks the root)"
        case .wrongSignature(let issuer, let subject):
            "the signature on \(quoted(subject)) was not made by the key of \(quoted(issuer))"
        case .noTrustedRoots:
            "this machine has no bundle of trusted roots (Debian and its kin: the package ca-certificates); "
                + "install one, or name PEM files in \(trustSetting)"
        case .expired(let subject, let date):
            "\(quoted(subject)) expired on \(UTCText.format(date))"
        case .notYetValid(let subject, let date):
            "\(quoted(subject)) is not valid before \(UTCText.format(date)) (is this machine's clock right?)"
        case .notAnAuthority(let subject):
            "\(quoted(subject)) is not marked as a certificate authority, and may not stand where one has to"
        case .leafIsNoRoot(let subject):
            "\(quoted(subject)) is itself listed in \(trustSetting) and is not marked as a certificate authority; "
                + "list what signed it, or have it made with basicConstraints CA:TRUE"
        case .pathTooLong(let subject):
            "\(quoted(subject)) may not have so many authorities below it (its path length constraint)"
        case .wrongPurpose(let subject):
            "the key of \(quoted(subject)) is not for this purpose (its key usage or extended key usage)"
        case .authorityAsServer(let subject):
            "\(quoted(subject)) is marked as a certificate authority, and a server may not have an authority's key; have it "
                + "made with basicConstraints CA:FALSE, or list this very certificate in \(trustSetting)"
        case .flawedCertificate(let subject, let flaw):
            "\(quoted(subject)) is not to be relied on: \(flaw.rawValue)"
        case .nameConstraints(let authority, let subject, let name):
            "\(quoted(subject)) has a name (\(name)) that is outside of what the authority \(quoted(authority)) may vouch "
                + "for (its name constraints)"
        case .revoked(let subject, let serialNumber, let date, let reason):
            "\(quoted(subject)) (serial number \(serialNumber)) was revoked by its issuer on \(UTCText.format(date)): "
                + reason.words
        case .revocationListMissing(let issuer, let subject):
            "none of the revocation lists (tls.revocation.crls) tells of \(quoted(subject)): there is none that the key of "
                + "its issuer \(quoted(issuer)) signed and may sign; get its list, or set tls.revocation.on_missing to accept"
        case .revocationListExpired(let issuer, let date):
            "the revocation list of \(quoted(issuer)) (tls.revocation.crls) is out of date: the next one was due on "
                + "\(UTCText.format(date)); put that one in its place, where paraph run takes it by itself"
        case .unknownCriticalExtension(let subject, let identifier):
            "\(quoted(subject)) has the critical extension \(identifier), which is not understood here"
        case .wrongHostname(let wanted, let names) where names.isEmpty:
            "it names no host in its subject alternative names, and \(wanted) is wanted (a common name is not looked at)"
        case .wrongHostname(let wanted, let names):
            "it is for \(names.joined(separator: ", ")), and \(wanted) is wanted"
        case .noPinMatched(let mode, let position):
            "the path is valid, and \(position.lack) of the pins configured (mode \(mode.rawValue)"
                + (position == .any ? ")" : ", applies_to \(position.rawValue))")
        case .searchTooLong:
            "the certificates presented can be combined in too many ways"
        case .tooManyComparisons:
            "its names and the name constraints of its authorities are too many to compare "
                + "(at most \(PathSearch.maximumComparisons) comparisons are made)"
        }
    }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }
}

extension PinPosition {
    fileprivate var lack: String {
        switch self {
        case .any: "no certificate on it has one"
        case .leaf: "its leaf has none"
        case .intermediate: "no certificate between its leaf and its root has one"
        case .root: "its root has none"
        }
    }
}
