package import OAuthSigning

/// The clients and users that the provider knows at the start, and what it insists on.
package struct ProviderSettings: Sendable {
    /// Named in the challenges of its refusals.
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
        /// Any within the tolerance.
        case window
        /// Besides: none before the last one of the same client and token, as NetSuite has it.
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
