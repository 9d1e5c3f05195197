/// An access token that was issued, by hand or by a grant.
struct GrantedAccessToken: Sendable {
    let user: ProviderUser
    /// Seconds since 1970; nil: it does not expire.
    let expiresAt: UInt64?
    /// All that came of one password grant, by its number; nil when it was issued by hand.
    let family: Int?
    var status = TokenStatus.active
}
