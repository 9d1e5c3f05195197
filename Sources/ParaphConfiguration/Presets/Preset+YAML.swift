import Bytes
import Credentials
import OAuthSigning
import Routing

extension Preset {
    /// A configuration to paste: what the user must give, and as comments what the preset fills.
    package var yaml: String {
        var lines = ["# \(title)", "# \(source)", "#"]
        lines += remarks.map { "# - \($0)" }
        lines += ["", "apis:", "  \(name):", "    preset: \(name)"]
        lines +=
            hosts.isEmpty
            ? ["    hosts: [\(hostExample)]   # yours"] : ["    # hosts: [\(hosts.joined(separator: ", "))]"]
        lines += ["    oauth1:"]
        lines += credentialLines.map { "      \($0)" }
        lines += optionLines.map { "      # \($0)" }
        lines += ["    accounts:"]
        lines += accountLines.map { "      \($0)" }
        if ways.count > 1 {
            lines.append(
                "      # Other ways to a token here: \(ways.dropFirst().map(\.rawValue).joined(separator: ", "))"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The caveat and the notes, a sentence or more each.
    var remarks: [String] {
        let caveat = caveat.map { [$0.prefix(1).uppercased() + $0.dropFirst() + "."] } ?? []
        return caveat + notes
    }

    /// The name that variables of the environment are named after.
    private var variable: String { name.uppercased() }

    private var credentialLines: [String] {
        let secret =
            options.signatureMethod.isRSA
            ? "private_key: {file: key.pem}"
            : "consumer_secret: {env: \(variable)_CONSUMER_SECRET}"
        return ["consumer_key: {env: \(variable)_CONSUMER_KEY}", secret]
    }

    private var optionLines: [String] {
        let standard = SigningOptions()
        var lines = ["signature_method: \(options.signatureMethod.rawValue)"]
        if let realm = firstHost?.netSuiteAccount?.realm { lines.append("realm: \(realm)") }
        if options.bodyHash != standard.bodyHash { lines.append("body_hash: \(options.bodyHash.rawValue)") }
        if options.placement != standard.placement { lines.append("placement: \(options.placement.rawValue)") }
        if timestamps != .wall { lines.append("timestamp: \(timestamps.rawValue)") }
        return lines
    }

    private var accountLines: [String] {
        switch ways.first {
        case .threeLegged:
            return ["default:   # then: paraph login \(name)", "  three_legged:"] + threeLeggedLines.map { "    \($0)" }
        case .twoLegged:
            return ["default: {two_legged: true}"]
        default:
            return ["default:", "  token: {env: \(variable)_TOKEN}", "  token_secret: {env: \(variable)_TOKEN_SECRET}"]
        }
    }

    private var threeLeggedLines: [String] {
        var lines: [String] = []
        if let threeLegged {
            let addresses = [
                ("request_token_url", threeLegged.requestToken), ("authorize_url", threeLegged.authorize),
                ("access_token_url", threeLegged.accessToken),
            ]
            for (key, address) in addresses {
                guard let url = address.url(firstHost: firstHost, scheme: .https) else { continue }
                lines.append("# \(key): \(url)")
            }
        }
        if callback == .outOfBand { lines.append("# callback: oob") }
        if !authorizeParameters.isEmpty {
            let pairs = authorizeParameters.map { "\($0.name): \"\($0.example)\"" }
            lines.append("authorize_parameters: {\(pairs.joined(separator: ", "))}   # as you need it")
        }
        return lines
    }

    private var firstHost: HostPattern? { try? HostPattern(hosts.first ?? hostExample) }
}
