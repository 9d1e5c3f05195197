package import OAuthSigning

/// Where an account's token comes from.
package enum TokenSource: Sendable {
    /// Issued by hand, and written in the configuration.
    case issued(TokenCredentials)
    /// None: requests are signed with the client credentials and an empty token secret.
    case twoLegged
    /// Exchanged on first use, kept in the vault.
    case reverseAuth(ReverseAuthSettings)
    /// Likewise.
    case xAuth(XAuthSettings)
    /// Obtained by a person with `paraph login`, kept in the vault.
    case threeLegged(ThreeLeggedSettings)
    /// Granted on first use and refreshed, kept in the vault.
    case password(PasswordCredentials)
    /// An access token, written in the configuration.
    case bearer(Secret)
}
