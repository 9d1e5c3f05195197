import Credentials
import OAuthSigning

extension TokenSource {
    /// Exactly one of the ways to a token, and one that the API's scheme has a use for.
    static func read(
        _ section: Section,
        kind scheme: SchemeReading.Kind?,
        addresses: ExchangeAddresses
    ) -> TokenSource? {
        if let place = flatLogin(section, scheme: scheme) {
            section["username"]?.reportAtKey("belongs one level deeper; write \(place)")
            return nil
        }
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

    /// Returns how a login is written whose user name stands beside its password, where ways to a token are due; nil
    /// where there is none.
    private static func flatLogin(_ section: Section, scheme: SchemeReading.Kind?) -> String? {
        guard !section.lacks("username") else { return nil }
        _ = section["password"]
        return scheme == .oauth1
            ? "xauth: {access_token_url: …, username: …, password: …}" : "password: {username: …, password: …}"
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
        let text = token?.identifier()
        let secret = tokenSecret?.secret(allowsEmpty: true)
        guard let text, let secret else { return nil }
        return .issued(TokenCredentials(token: text.revealed(), secret: secret))
    }
}

extension ReverseAuthSettings {
    /// `reverse_auth`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> ReverseAuthSettings? {
        let known = addresses.preset?.directExchange
        let requestToken = addresses.url("request_token_url", of: section, preset: known?.requestToken)
        let accessToken = addresses.url("access_token_url", of: section, preset: known?.accessToken)
        let signedAs = section.required("signed_as")?.section().flatMap(Self.readSigner)
        section.finish()
        guard let requestToken, let accessToken, let signedAs else { return nil }
        return ReverseAuthSettings(requestTokenURL: requestToken, accessTokenURL: accessToken, signedAs: signedAs)
    }

    private static func readSigner(_ section: Section) -> (client: ClientCredentials, token: TokenCredentials)? {
        let consumerKey = section.required("consumer_key")?.identifier()
        let consumerSecret = section.required("consumer_secret")?.secret(allowsEmpty: true)
        let token = section.required("token")?.identifier()
        let tokenSecret = section.required("token_secret")?.secret(allowsEmpty: true)
        section.finish()
        guard let consumerKey, let consumerSecret, let token, let tokenSecret else { return nil }
        return (
            ClientCredentials(identifier: consumerKey.revealed(), sharedSecret: consumerSecret),
            TokenCredentials(token: token.revealed(), secret: tokenSecret)
        )
    }
}

extension PasswordCredentials {
    /// `password`
    static func read(_ section: Section) -> PasswordCredentials? {
        let login = members(of: section)
        section.finish()
        return login
    }

    /// `username` and `password` of a section that has more.
    static func members(of section: Section) -> PasswordCredentials? {
        let username = section.required("username")?.identifier()
        let password = section.required("password")?.secret()
        guard let username, let password else { return nil }
        return PasswordCredentials(username: username.revealed(), password: password)
    }
}

extension XAuthSettings {
    /// `xauth`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> XAuthSettings? {
        let accessToken = addresses.url(
            "access_token_url",
            of: section,
            preset: addresses.preset?.directExchange?.accessToken
        )
        let login = PasswordCredentials.members(of: section)
        section.finish()
        guard let accessToken, let login else { return nil }
        return XAuthSettings(accessTokenURL: accessToken, login: login)
    }
}
