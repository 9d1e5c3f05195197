package import OAuthSigning

/// The token that the requests of an account are authorized with.
package enum AccountToken: Sendable, Equatable {
    /// Requests are signed with it (RFC 5849).
    case oauth1(TokenCredentials)
    /// Requests carry it.
    case access(AccessToken)
}

extension AccountToken {
    /// Returns whether requests are authorized with the same token, whatever is known of how it is renewed.
    package func authorizes(as other: AccountToken?) -> Bool {
        guard case .access(let access) = self, case .access(let other) = other else { return self == other }
        return access.value == other.value
    }
}

/// An access token that is sent as it is, in the Authorization field: of OAuth 2 (RFC 6749, section 5.1), or a static
/// one.
package struct AccessToken: Sendable, Equatable {
    package var value: Secret
    /// The time at which it expires, in whole seconds since 1970-01-01T00:00:00Z; nil when it is not known to.
    package var expiresAt: UInt64?
    /// The token that a new one is asked for with (RFC 6749, section 6); nil when the provider issued none.
    package var refreshToken: Secret?
    package var refreshTokenUse: RefreshTokenUse

    package init(
        _ value: Secret,
        expiresAt: UInt64? = nil,
        refreshToken: Secret? = nil,
        refreshTokenUse: RefreshTokenUse = .once
    ) {
        self.value = value
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.refreshTokenUse = refreshTokenUse
    }
}

/// The number of times that a refresh token may be sent, as far as it is known. The raw values are what is stored.
package enum RefreshTokenUse: UInt8, Sendable {
    /// Once, as far as is known: providers issue another one, and some take the second use of one for a theft and log
    /// the account out (RFC 9700, section 4.14.2).
    case once = 0
    /// The provider has kept it when it was used.
    case repeatable = 1
    /// It may have been sent, and what came of that is not known. There is none any more.
    case begun = 2
}
