package import OAuthSigning

/// Providers as they are, so far as a client can tell.
extension ProviderSettings {
    /// PLAINTEXT or HMAC-SHA1, a `User-Agent`, and a verifier of letters.
    package static func discogs(clients: [RegisteredClient], users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "https://api.discogs.com", clients: clients, users: users)
        settings.requiresUserAgent = true
        settings.oauth1.signatureMethods = [.plaintext, .hmacSHA1]
        settings.threeLegged.verifier = .alphanumeric(10)
        settings.threeLegged.attributes = .none
        settings.threeLegged.contentType = "application/x-www-form-urlencoded"
        settings.paths.identity = ["/oauth/identity"]
        settings.dialect = .xText
        return settings
    }

    /// HMAC-SHA1.
    package static func tumblr(clients: [RegisteredClient], users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "https://api.tumblr.com", clients: clients, users: users)
        settings.oauth1.signatureMethods = [.hmacSHA1]
        settings.threeLegged.verifier = .alphanumeric(48)
        settings.threeLegged.attributes = .none
        settings.paths.identity = ["/v2/user/info"]
        settings.dialect = .problemReporting
        return settings
    }

    /// HMAC-SHA1, Flickr's addresses and attributes, and the base string that it expected in what it refuses.
    package static func flickr(clients: [RegisteredClient], users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "https://www.flickr.com", clients: clients, users: users)
        settings.oauth1.signatureMethods = [.hmacSHA1]
        settings.paths.requestToken = "/services/oauth/request_token"
        settings.paths.authorize = "/services/oauth/authorize"
        settings.paths.accessToken = "/services/oauth/access_token"
        settings.threeLegged.verifier = .alphanumeric(16)
        settings.threeLegged.attributes = .flickr
        settings.threeLegged.contentType = "text/plain;charset=utf-8"
        settings.dialect = .flickr
        return settings
    }

    /// HMAC-SHA1, and an application's name and the access it wants in the authorization address.
    package static func trello(clients: [RegisteredClient], users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "https://trello.com", clients: clients, users: users)
        settings.oauth1.signatureMethods = [.hmacSHA1]
        settings.paths.requestToken = "/1/OAuthGetRequestToken"
        settings.paths.authorize = "/1/OAuthAuthorizeToken"
        settings.paths.accessToken = "/1/OAuthGetAccessToken"
        settings.paths.identity = ["/1/members/me"]
        settings.threeLegged.requiredAuthorizeParameters = ["name", "expiration", "scope"]
        settings.threeLegged.verifier = .alphanumeric(32)
        settings.threeLegged.attributes = .none
        settings.dialect = .xText
        return settings
    }

    /// HMAC-SHA256 with the account as realm, nonces of at least six characters, timestamps that do not go back.
    ///
    /// - Parameter account: The account, such as `1234567_SB1`.
    package static func netSuite(
        account: String,
        clients: [RegisteredClient],
        tokens: [AcceptedToken] = [],
        users: [RegisteredUser] = []
    ) -> ProviderSettings {
        var settings = ProviderSettings(realm: account, clients: clients, tokens: tokens, users: users)
        settings.oauth1.signatureMethods = [.hmacSHA256]
        settings.oauth1.requiresRealm = true
        settings.oauth1.minimumNonceLength = 6
        settings.oauth1.timestamps = .neverBeforeTheLast
        settings.paths.requestToken = "/rest/requesttoken"
        settings.paths.authorize = "/app/login/secure/authorizetoken.nl"
        settings.paths.accessToken = "/rest/accesstoken"
        settings.threeLegged.verifier = .alphanumeric(64)
        settings.threeLegged.attributes = .none
        settings.threeLegged.allowsOutOfBand = false
        settings.dialect = .netSuite
        return settings
    }

    /// HMAC-SHA1 and a verifier of six digits.
    package static func smugMug(clients: [RegisteredClient], users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "https://api.smugmug.com", clients: clients, users: users)
        settings.oauth1.signatureMethods = [.hmacSHA1]
        settings.paths.requestToken = "/services/oauth/1.0a/getRequestToken"
        settings.paths.authorize = "/services/oauth/1.0a/authorize"
        settings.paths.accessToken = "/services/oauth/1.0a/getAccessToken"
        settings.threeLegged.verifier = .digits(6)
        settings.threeLegged.attributes = .none
        settings.dialect = .problemReporting
        return settings
    }

    /// oPRO: the password grant at `/oauth/token.json`, and `Authorization: Token token="…"`.
    package static func oPRO(clientID: String, clientSecret: Secret, users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "Application", clients: [], users: users)
        settings.passwordGrant = PasswordGrantRules(style: .oPRO, clientID: clientID, clientSecret: clientSecret)
        settings.passwordGrant?.clientAuthentication = .body
        settings.paths.token = "/oauth/token.json"
        settings.protection = .tokenParameter
        return settings
    }

    /// The password grant of RFC 6749 at `/oauth/token`, and bearer tokens.
    package static func rfc6749(clientID: String, clientSecret: Secret, users: [RegisteredUser]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "members", clients: [], users: users)
        settings.passwordGrant = PasswordGrantRules(style: .rfc6749, clientID: clientID, clientSecret: clientSecret)
        settings.protection = .bearer
        return settings
    }

    /// Facebook: bearer tokens that were issued by hand, and `/me`.
    package static func bearer(accessTokens: [AcceptedAccessToken]) -> ProviderSettings {
        var settings = ProviderSettings(realm: "graph", clients: [], accessTokens: accessTokens)
        settings.protection = .bearer
        return settings
    }
}
