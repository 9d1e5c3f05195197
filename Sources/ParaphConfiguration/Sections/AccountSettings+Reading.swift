import Credentials
import OAuthSigning
import Routing

extension AccountSettings {
    /// `accounts.NAME`
    static func read(
        _ value: Value,
        name: String,
        scheme: SchemeReading,
        addresses: ExchangeAddresses
    ) -> AccountReading? {
        value.checkAccountName(name)
        guard let section = value.section() else { return nil }
        let source = readSource(section, kind: scheme.kind, addresses: addresses)
        let own = section["oauth1"].flatMap { readOwn($0, scheme: scheme) }
        section.finish()
        let settings = own?.settings()
        guard let source, own == nil || settings != nil else { return nil }
        return AccountReading(
            settings: AccountSettings(name: name, source: source, oauth1: settings),
            oauth1: own ?? scheme.oauth1,
            value: value
        )
    }

    private static func readOwn(_ value: Value, scheme: SchemeReading) -> OAuth1Block? {
        if let kind = scheme.kind, kind != .oauth1 {
            value.reportAtKey("is of no use: the API's requests are not signed, for it is \(kind.rawValue)")
            return nil
        }
        guard !value.isNull else { return nil }
        return value.section().map { OAuth1Block($0, inherited: scheme.oauth1) }
    }

    /// Exactly one of the ways to a token, and one that the API's scheme has a use for.
    private static func readSource(
        _ section: Section,
        kind scheme: SchemeReading.Kind?,
        addresses: ExchangeAddresses
    ) -> TokenSource? {
        let tokenSecret = section["token_secret"]
        let given = AccountKind.allCases.compactMap { kind in
            (section[kind.rawValue] ?? (kind == .token ? tokenSecret : nil)).map { (kind, $0) }
        }
        guard given.count == 1, let (kind, value) = given.first else {
            section.value.reportAtKey(
                given.isEmpty
                    ? "says nothing of where its token comes from; \((scheme ?? .oauth1).advice)"
                    : "gets its token from \(given.map(\.0.rawValue).joined(separator: " and from ")); keep one of them"
            )
            return nil
        }
        if let scheme, !scheme.accountKinds.contains(kind) {
            value.reportAtKey("is no way to a token of an API that is \(scheme.rawValue); \(scheme.advice)")
            return nil
        }
        switch kind {
        case .token: return readToken(section, scheme: scheme)
        case .threeLegged:
            return value.sectionOrEmpty().flatMap { ThreeLeggedSettings.read($0, addresses: addresses) }
                .map { .threeLegged($0) }
        case .reverseAuth:
            return value.section().flatMap { ReverseAuthSettings.read($0, addresses: addresses) }
                .map { .reverseAuth($0) }
        case .xAuth:
            return value.section().flatMap { XAuthSettings.read($0, addresses: addresses) }.map { .xAuth($0) }
        case .twoLegged:
            guard let isOn = value.isOn() else { return nil }
            if !isOn { value.report("is either true or left out") }
            return .twoLegged
        case .password:
            return value.section().flatMap(PasswordCredentials.read).map { .password($0) }
        }
    }

    private static func readToken(_ section: Section, scheme: SchemeReading.Kind?) -> TokenSource? {
        let token = section["token"]
        let tokenSecret = section["token_secret"]
        if token == nil { section.value.reportAtKey("has a token_secret but lacks token") }
        if scheme == .bearer {
            tokenSecret?.reportAtKey("is of no use: a bearer token has none")
            guard let text = token?.secret() else { return nil }
            guard HeaderTemplate.bearer.value(token: text) != nil else {
                token?.report("cannot be sent: a bearer token is visible ASCII without blanks")
                return nil
            }
            return .bearer(text)
        }
        if tokenSecret == nil, scheme != nil { section.value.reportAtKey("has a token but lacks token_secret") }
        let text = token?.secret()
        let secret = tokenSecret?.secret(allowsEmpty: true)
        guard let text, let secret else { return nil }
        return .issued(TokenCredentials(token: text.revealed(), secret: secret))
    }
}

extension Value {
    fileprivate func checkAccountName(_ name: String) {
        guard !Account.isUsable(name: name) else { return }
        context.report(
            "the name of an account has 1 to 128 bytes, no colon, and no blank at either end",
            at: keyPosition
        )
    }
}
