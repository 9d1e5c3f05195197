package import OAuthSigning

/// The clients and users that the provider knows at the start, and what it insists on.
package struct ProviderSettings: Sendable {
    /// The realm that is named in the challenges of its refusals.
    package var realm: String
    package var clients: [RegisteredClient]
    /// Tokens issued by hand. A token that a client got by an exchange comes on top.
    package var tokens: [AcceptedToken]
    /// Access tokens issued by hand.
    package var accessTokens: [AcceptedAccessToken]
    /// The users who can approve an authorization, and log in with a password.
    package var users: [RegisteredUser]
    package var paths = ProviderPaths()
    /// The protection of the resources, and so what is asked for in their challenges.
    package var protection = ResourceProtection.oauth1
    package var oauth1 = OAuth1Rules()
    package var threeLegged = ThreeLeggedRules()
    /// Nil: the OAuth 2 token endpoint refuses every grant.
    package var passwordGrant: PasswordGrantRules?
    /// The wording of refusals.
    package var dialect = RefusalDialect.x
    /// The number of seconds that the provider's clock is ahead of the one that its server reads; negative: behind. Its
    /// `Date` says so too.
    package var clockOffset: Int64 = 0
    /// Indicates whether a request without `User-Agent` is refused.
    package var requiresUserAgent = false

    /// - Parameter timestampTolerance: How many seconds a timestamp may be away from the provider's clock.
    package init(
        realm: String,
        clients: [RegisteredClient],
        tokens: [AcceptedToken] = [],
        accessTokens: [AcceptedAccessToken] = [],
        users: [RegisteredUser] = [],
        timestampTolerance: UInt64 = 300
    ) {
        self.realm = realm
        self.clients = clients
        self.tokens = tokens
        self.accessTokens = accessTokens
        self.users = users
        oauth1.timestampTolerance = timestampTolerance
    }

    /// The user of a name and a password.
    func user(_ name: String?, password: String?) -> ProviderUser? {
        guard let password else { return nil }
        return users.first { $0.user.screenName == name && $0.password == Secret(password) }?.user
    }
}

/// The demands of the provider on a signed request, beyond a right signature.
package struct OAuth1Rules: Sendable {
    package enum TimestampRule: Sendable {
        /// Any timestamp within the tolerance.
        case window
        /// A timestamp within the tolerance, and none before the last one of the same client and token, as NetSuite has
        /// it.
        case neverBeforeTheLast
    }

    package var signatureMethods = Set(SignatureMethod.allCases)
    /// The number of seconds that a timestamp may be away from the provider's clock.
    package var timestampTolerance: UInt64 = 300
    package var timestamps = TimestampRule.window
    package var minimumNonceLength = 1
    /// Indicates whether the realm of the request must be the provider's, character for character.
    package var requiresRealm = false

    package init() {}
}

/// The credentials that a request for a protected resource has to carry.
package enum ResourceProtection: Sendable, CaseIterable {
    /// `Authorization: OAuth …`, or the same parameters in the query or the form.
    case oauth1
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer
    /// `Authorization: Token token="…"`, as oPRO has it.
    case tokenParameter
}

/// The paths of the provider's endpoints. Those of X unless something else is said.
package struct ProviderPaths: Sendable {
    package var requestToken = "/oauth/request_token"
    package var authorize = "/oauth/authorize"
    package var accessToken = "/oauth/access_token"
    /// The token endpoint of OAuth 2 (RFC 6749, section 3.2).
    package var token = "/oauth/token"
    /// Resources that tell whose token it is.
    package var identity = ["/1.1/account/verify_credentials.json", "/me"]

    package init() {}

    func endpoint(of request: ReceivedRequest) -> ProviderEndpoint {
        let path = String(request.path)
        if path == authorize { return .authorize }
        if path == token { return .token }
        if identity.contains(path) { return .identity }
        if request.method == "POST" || request.method == "GET" {
            if path == requestToken { return .requestToken }
            if path == accessToken { return .accessToken }
        }
        return .resource
    }
}

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
    /// - Parameter account: Such as `1234567_SB1`.
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

/// A client the provider knows: an application, or a platform that vouches for its users (RFC 5849, section 1.1).
package struct RegisteredClient: Sendable {
    package var consumerKey: String
    package var consumerSecret: Secret
    /// The key that only the RSA methods need.
    package var publicKey: RSAVerificationKey?

    package init(consumerKey: String, consumerSecret: Secret, publicKey: RSAVerificationKey? = nil) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.publicKey = publicKey
    }
}

/// A token that the provider accepts: from whom, and on behalf of whom.
package struct AcceptedToken: Sendable {
    package var credentials: TokenCredentials
    /// The one client that may use it.
    package var consumerKey: String
    package var user: ProviderUser

    package init(credentials: TokenCredentials, consumerKey: String, user: ProviderUser) {
        self.credentials = credentials
        self.consumerKey = consumerKey
        self.user = user
    }
}

/// An access token that the provider accepts, such as a bearer token (RFC 6750), and on behalf of whom.
package struct AcceptedAccessToken: Sendable {
    package var token: Secret
    package var user: ProviderUser

    package init(token: Secret, user: ProviderUser) {
        self.token = token
        self.user = user
    }
}

/// A user with a password. The screen name is the user name.
package struct RegisteredUser: Sendable {
    package var user: ProviderUser
    package var password: Secret

    package init(user: ProviderUser, password: Secret) {
        self.user = user
        self.password = password
    }
}

/// The user a token stands for.
package struct ProviderUser: Sendable, Equatable {
    package var id: String
    package var screenName: String

    package init(id: String, screenName: String) {
        self.id = id
        self.screenName = screenName
    }
}
