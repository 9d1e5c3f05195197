import Bytes
import Credentials

extension ThreeLeggedSettings {
    /// The values that `version` may have.
    private enum Version: String, CaseIterable {
        /// The version without the correction of 2009: no callback is confirmed, no verifier given.
        case core10 = "1.0"
        case core10a = "1.0a"
    }

    /// `three_legged`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> ThreeLeggedSettings? {
        let known = addresses.preset?.threeLegged
        let requestToken = addresses.url("request_token_url", of: section, preset: known?.requestToken)
        let authorize = addresses.browserURL("authorize_url", of: section, preset: known?.authorize)
        let accessToken = addresses.url("access_token_url", of: section, preset: known?.accessToken)
        let callback = section["callback"].map { $0.callback() } ?? addresses.preset?.callback ?? .loopback
        let parameters = section["authorize_parameters"].flatMap { $0.isNull ? nil : $0.section() }
            .map(authorizeParameters)
        let version = section["version"].map { $0.choice(of: Version.self) } ?? .core10a
        section.finish()
        guard let requestToken, let authorize, let accessToken, let callback, let version else { return nil }
        return ThreeLeggedSettings(
            requestTokenURL: requestToken,
            authorizeURL: authorize,
            accessTokenURL: accessToken,
            callback: callback,
            authorizeParameters: parameters ?? [],
            acceptsVersion10: version == .core10
        )
    }

    private static func authorizeParameters(_ section: Section) -> [(name: String, value: String)] {
        let members = section.members { _ in false }
        section.finish()
        return members.compactMap { member in
            guard !member.name.hasPrefix("oauth_"), !member.name.isEmpty else {
                member.value.reportAtKey("is a parameter of the protocol, which Paraph sets itself")
                return nil
            }
            return member.value.word().map { (member.name, $0) }
        }
    }
}

extension Value {
    /// `oob`, `loopback`, or the URL that is registered with the provider.
    fileprivate func callback() -> ThreeLeggedSettings.Callback? {
        guard let text = word() else { return nil }
        switch text {
        case "oob": return .outOfBand
        case "loopback": return .loopback
        case _ where ExchangeURL(text) != nil || isAddressOfApplication(text): return .address(text)
        default:
            report(
                "must be oob (the verifier is typed) or a URL like http://127.0.0.1:8090/callback; left out, a free port of "
                    + "this machine is listened on"
            )
            return nil
        }
    }

    /// A URL with a scheme of its own, as applications register them: `myapp://callback`.
    private func isAddressOfApplication(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text[..<colon].lowercased()
        return !["http", "https", "oob", "javascript", "data"].contains(scheme)
            && scheme.utf8.first?.isLowercase == true
            && scheme.utf8.allSatisfy { $0.isLowercase || $0.isDigit || "+-.".utf8.contains($0) }
            && text[colon...].hasPrefix("://")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
