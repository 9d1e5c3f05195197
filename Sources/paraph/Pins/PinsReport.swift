import Bytes
import Credentials
import Files
import FoundationEssentials
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// The YAML that is printed for a server whose chain is valid.
struct PinsReport {
    let target: PinsTarget
    /// The certificates in the order of the path.
    let chain: [CertificateSummary]
    let proposal: PinProposal
    let now: Date

    /// Lines of YAML, each with its line break; nothing in it but comments and one `tls`.
    var text: String {
        let lines = heading + chain.flatMap(lines) + advice + place + block
        return lines.map { "\($0)\n" }.joined()
    }

    private var heading: [String] {
        var lines = ["# What \(target.server) showed on \(UTCText.format(now)): a valid chain, no request was sent."]
        if let connectTo = target.connectTo { lines.append("# Connected to \(connectTo) instead.") }
        if let proxy = target.proxy {
            lines.append("# Through the proxy \(proxy.url).")
        }
        if !target.tls.verifiesHostname { lines.append("# Its name was not verified (tls.verify_hostname is off).") }
        return lines + ["#"]
    }

    private func lines(_ certificate: CertificateSummary) -> [String] {
        var lines = ["# \(certificate.role.rawValue)\(certificate.isPresented ? "" : " (trusted, not presented)")"]
        if let notBefore = certificate.notBefore, let notAfter = certificate.notAfter {
            let days = Int(notAfter.timeIntervalSince(now) / 86_400)
            lines[0] += ": \"\(certificate.subject)\", issued by \"\(certificate.issuer)\""
            lines.append(
                "#   valid from \(UTCText.format(notBefore)) to \(UTCText.format(notAfter)), another \(days) days"
            )
        }
        if let pin = certificate.publicKeyPin { lines.append("#   public_key  \(pin)") }
        lines.append("#   certificate \(certificate.certificatePin)")
        return lines
    }

    private var advice: [String] {
        guard !proposal.hasBackup else {
            return [
                "#",
                "# The backups are the other roots that this machine trusts of the same authority: one of them is what it",
                "# will move to. Add what the provider itself publishes, if it does.",
            ]
        }
        let reserve =
            switch proposal.mode {
            case .publicKey:
                [
                    "#   - If the server is yours, a key in reserve, kept offline:",
                    "#       openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out reserve.key",
                    "#       openssl pkey -in reserve.key -pubout -outform der | openssl dgst -sha256 -binary | base64",
                    "#   - Else a key that the provider says it has in reserve, or the root of another authority that it uses.",
                ]
            case .certificate:
                [
                    "#   - The certificate that is to follow this one, if it has been issued.",
                    "#   - Else the root of another authority that the provider uses. Or use mode public_key: a key can be",
                    "#     kept in reserve long before there is a certificate for it.",
                ]
            }
        return [
            "#",
            "# NO BACKUP: all of these pins are on the chain, and the day on which its keys change cuts the API off. The",
            "# first connection warns of it. Replace the second by a pin that is not on the chain:",
        ] + reserve
    }

    private var place: [String] {
        guard let api = target.api else { return ["#", "# Under the API that has the host, in apis:"] }
        let others = api.route.hosts.filter { !$0.matches(target.server, scheme: .https) }
        var lines = ["#", "# Under apis.\(api.name), beside what is under tls already:"]
        if !others.isEmpty {
            let names = others.map(\.description).joined(separator: ", ")
            lines.insert("# The API has other hosts, which these pins will be for too: \(names). Then", at: 1)
            lines.insert("# run `paraph pins --check`.", at: 2)
        }
        return lines
    }

    /// The lines to paste, indented as what is below an API in the example is.
    private var block: [String] {
        var lines = ["tls:"]
        if !target.trustFiles.isEmpty {
            if case .certificates? = target.api?.tls.trust { lines.append("  # In place of the trust there:") }
            // The configuration's relative paths are relative to it.
            let files = target.trustFiles.map { Self.quoted(Directory.absolutePath(of: $0)) }
            lines.append("  trust: [\(files.joined(separator: ", "))]")
        }
        lines += ["  pinning:", "    mode: \(proposal.mode.rawValue)", "    pins:"]
        for entry in proposal.pins { lines += ["      # \(entry.what)", "      - \(entry.pin)"] }
        if proposal.pins.count < 2 {
            lines += [
                "    # One pin is too few to refuse by. Add a second, then remove this line:", "    on_failure: report",
            ]
        }
        return lines.map { "    " + $0 }
    }

    private static func quoted(_ path: String) -> String {
        "\"" + path.escaping("\\\"") + "\""
    }
}
