package import OAuthSigning

/// The token that the requests of an account are authorized with.
package enum AccountToken: Sendable, Equatable {
    /// Requests are signed with it (RFC 5849).
    case oauth1(TokenCredentials)
    /// Requests carry it.
    case access(AccessToken)
}

/// An access token that is sent as it is, in the Authorization field: of OAuth 2 (RFC 6749, section 5.1), or a static
/// one.
package struct AccessToken: Sendable, Equatable {
    package var value: Secret
    /// The time at which it expires, in whole seconds since 1970-01-01T00:00:00Z; nil when it is not known to.
    package var expiresAt: UInt64?
    /// The token that a new one is asked for with (RFC 6749, section 6); nil when the provider issued none.
    package var refreshToken: Secret?

    package init(_ value: Secret, expiresAt: UInt64? = nil, refreshToken: Secret? = nil) {
        self.value = value
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }
}
