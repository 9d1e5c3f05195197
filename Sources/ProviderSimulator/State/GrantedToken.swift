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
    /// Good for one use, which it has had.
    case used
}
