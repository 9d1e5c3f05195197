import OAuthSigning

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
    /// The rules of the OAuth 2 token endpoint; nil when it refuses every grant.
    package var passwordGrant: PasswordGrantRules?
    package var dialect = RefusalDialect.x
    /// The number of seconds that the provider's clock is ahead of the one that its server reads; negative: behind. Its
    /// `Date` says so too.
    package var clockOffset: Int64 = 0
    /// Indicates whether a request without `User-Agent` is refused.
    package var requiresUserAgent = false

    /// - Parameter timestampTolerance: The seconds that a timestamp may be away from the provider's clock.
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

    /// Returns the user who logs in so; nil when the name or the password is wrong.
    func user(_ name: String?, password: String?) -> ProviderUser? {
        guard let password else { return nil }
        return users.first { $0.user.screenName == name && $0.password == Secret(password) }?.user
    }
}
