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
