package import OAuthSigning

/// Where an account's token comes from.
package enum TokenSource: Sendable {
    /// Issued by hand, and written in the configuration.
    case issued(TokenCredentials)
    /// None: requests are signed with the client credentials and an empty token secret.
    case twoLegged
    /// Exchanged on first use, kept in the vault.
    case reverseAuth(ReverseAuthSettings)
}
