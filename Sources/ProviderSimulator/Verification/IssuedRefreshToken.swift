/// A refresh token that was issued.
struct IssuedRefreshToken: Sendable {
    let user: ProviderUser
    /// All that came of one password grant, by its number.
    let family: Int
    var status = TokenStatus.active
}
