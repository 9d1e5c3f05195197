import OAuthSigning

/// A token that an exchange brought, or the vault held.
struct IssuedToken: Sendable {
    let credentials: TokenCredentials
    /// Counts an account's tokens.
    let generation: UInt64
}
