import Credentials
import OAuthSigning
import Routing

extension AccountSettings {
    /// `accounts.NAME`
    static func read(_ value: Value, name: String, route: APIRoute, oauth1: OAuth1Block?) -> AccountSettings? {
        value.checkAccountName(name)
        guard let section = value.section() else { return nil }
        let source = readSource(section, route: route)
        let own = section.section("oauth1").map { OAuth1Block($0, inherited: oauth1) }
        section.finish()
        let ownSettings = own?.settings()
        guard let source, own == nil || ownSettings != nil else { return nil }
        return AccountSettings(name: name, source: source, oauth1: ownSettings)
    }

    /// Exactly one of a token with its secret, `reverse_auth` and `two_legged`.
    private static func readSource(_ section: Section, route: APIRoute) -> TokenSource? {
        let token = section["token"]
        let tokenSecret = section["token_secret"]
        let reverseAuth = section["reverse_auth"]
        let twoLegged = section["two_legged"]
        let given = [(token ?? tokenSecret, "token"), (reverseAuth, "reverse_auth"), (twoLegged, "two_legged")]
            .filter { $0.0 != nil }.map(\.1)
        guard given.count == 1 else {
            section.value.reportAtKey(
                given.isEmpty
                    ? "says nothing of where its token comes from; give it token and token_secret, reverse_auth, or "
                        + "two_legged: true"
                    : "gets its token from \(given.joined(separator: " and from ")); keep one of them"
            )
            return nil
        }
        if let reverseAuth {
            return reverseAuth.section().flatMap { ReverseAuthSettings.read($0, route: route) }.map { .reverseAuth($0) }
        }
        if let twoLegged {
            guard let isOn = twoLegged.isOn() else { return nil }
            if !isOn { twoLegged.report("is either true or left out") }
            return .twoLegged
        }
        if token == nil { section.value.reportAtKey("has a token_secret but lacks token") }
        if tokenSecret == nil { section.value.reportAtKey("has a token but lacks token_secret") }
        let text = token?.secret()
        let secret = tokenSecret?.secret(allowsEmpty: true)
        guard let text, let secret else { return nil }
        return .issued(TokenCredentials(token: text.revealed(), secret: secret))
    }
}

extension Value {
    /// An account is named in a field of a request, or as a user name before a colon.
    fileprivate func checkAccountName(_ name: String) {
        guard
            name.isEmpty || name.utf8.count > 128 || name.hasPrefix(" ") || name.hasSuffix(" ")
                || name.unicodeScalars.contains(where: { $0 == ":" || $0.value < 0x20 || $0.value == 0x7f })
        else { return }
        context.report(
            "the name of an account has 1 to 128 octets, no colon, and no blank at either end",
            at: keyPosition
        )
    }
}
