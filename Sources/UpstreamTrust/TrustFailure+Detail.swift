extension TrustFailure {
    /// The sentence, the chain with the pins of each certificate as YAML list items ready to paste, and the pins
    /// configured. A few kilobytes at most, whoever made the certificates.
    package var detail: String {
        var lines = [self.sentence + ".", ""]
        if self.presented.isEmpty {
            lines.append("# No certificate was presented.")
        } else {
            lines.append("# The chain, and the pins of each of its certificates:")
            for certificate in self.presented { lines += certificate.lines }
        }
        if self.unseen > 0 { lines.append("# \(self.unseen) more were presented, and not looked at.") }
        lines.append("")
        if let pinning {
            lines.append("# The pins configured (mode \(pinning.mode.rawValue)):")
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
    fileprivate var lines: [String] {
        var heading = "# \(self.role.rawValue)"
        if !self.isPresented { heading += " (trusted, not presented)" }
        if let notBefore, let notAfter {
            heading += ": subject \"\(self.subject)\", issuer \"\(self.issuer)\", "
            heading += "valid from \(UTCText.format(notBefore)) to \(UTCText.format(notAfter))"
        }
        var lines = [heading]
        if let publicKeyPin { lines.append("- \(publicKeyPin.text)  # \(PinningMode.publicKey.rawValue)") }
        lines.append("- \(self.certificatePin.text)  # \(PinningMode.certificate.rawValue)")
        return lines
    }
}
