package import OAuthSigning

/// The token that the requests of an account are authorized with.
package enum AccountToken: Sendable, Equatable {
    /// Requests are signed with it (RFC 5849).
    case oauth1(TokenCredentials)
    /// Requests carry it.
    case access(AccessToken)
}
