import OAuthSigning

/// All that changes while the provider runs, and the clients it looks up.
struct ProviderState: Sendable {
    /// Token credentials that were issued, by hand or by an exchange.
    struct GrantedToken: Sendable {
        var token: AcceptedToken
        var status = TokenStatus.active
    }

    /// An access token that was issued, by hand or by a grant.
    struct GrantedAccessToken: Sendable {
        let user: ProviderUser
        /// Seconds since 1970; nil: it does not expire.
        let expiresAt: UInt64?
        /// All that came of one password grant, by its number; nil when it was issued by hand.
        let family: Int?
        var status = TokenStatus.active
    }

    /// A refresh token that was issued.
    struct IssuedRefreshToken: Sendable {
        let user: ProviderUser
        /// All that came of one password grant, by its number.
        let family: Int
        var status = TokenStatus.active
    }

    /// The status of a token that the provider has given out.
    enum TokenStatus: Sendable, Equatable {
        case active
        case expired
        case revoked
        /// The token is good for one use, which it has had.
        case used
    }

    let clients: [String: RegisteredClient]
    /// Seconds by which the provider's clock is ahead.
    var clockOffset: Int64
    var tokens: [String: GrantedToken]
    var temporaryCredentials: [String: TemporaryCredentials] = [:]
    /// The texts that step 1 of reverse auth gave out and no step 2 has used, with the application's consumer key.
    var reverseAuthTexts: [String: String] = [:]
    var accessTokens: [String: GrantedAccessToken]
    var refreshTokens: [String: IssuedRefreshToken] = [:]
    var families = 0
    var nonces = NonceHistory()
    var timestamps = TimestampHistory()
    /// The disturbances that take the place of right answers, first come first.
    var disturbances: [ProviderEndpoint: [Disturbance]] = [:]

    init(_ settings: ProviderSettings) {
        clients = Dictionary(settings.clients.map { ($0.consumerKey, $0) }, uniquingKeysWith: { _, last in last })
        clockOffset = settings.clockOffset
        tokens = Dictionary(
            settings.tokens.map { ($0.credentials.token, GrantedToken(token: $0)) },
            uniquingKeysWith: { _, last in last }
        )
        accessTokens = Dictionary(
            settings.accessTokens.map {
                ($0.token.revealed(), GrantedAccessToken(user: $0.user, expiresAt: nil, family: nil))
            },
            uniquingKeysWith: { _, last in last }
        )
    }

    /// The provider's time when another clock says `time`.
    func providerTime(at time: UInt64) -> UInt64 {
        clockOffset < 0 ? time - min(time, clockOffset.magnitude) : time + clockOffset.magnitude
    }

    mutating func takeDisturbance(_ endpoint: ProviderEndpoint) -> Disturbance? {
        guard let first = disturbances[endpoint]?.first else { return nil }
        disturbances[endpoint]?.removeFirst()
        return first
    }
}

extension ProviderState {
    mutating func revokeAccessTokens(where isRevoked: (GrantedAccessToken) -> Bool) {
        for (token, issued) in accessTokens where isRevoked(issued) { accessTokens[token]?.status = .revoked }
    }

    mutating func revokeRefreshTokens(where isRevoked: (IssuedRefreshToken) -> Bool) {
        for (token, issued) in refreshTokens where isRevoked(issued) { refreshTokens[token]?.status = .revoked }
    }
}
