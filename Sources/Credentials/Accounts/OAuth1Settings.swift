package import OAuthSigning

/// The way in which requests are signed (RFC 5849), and with which client credentials.
package struct OAuth1Settings: Sendable {
    package var client: ClientCredentials
    package var options: SigningOptions
    package var timestamps: TimestampMode
    /// Indicates whether the provider's clock is learnt when it refuses a timestamp, and followed.
    package var correctsClock: Bool

    package init(
        client: ClientCredentials,
        options: SigningOptions = SigningOptions(),
        timestamps: TimestampMode = .wall,
        correctsClock: Bool = true
    ) {
        self.client = client
        self.options = options
        self.timestamps = timestamps
        self.correctsClock = correctsClock
    }
}

/// The source of `oauth_timestamp`.
package enum TimestampMode: String, Sendable, CaseIterable {
    /// The clock.
    case wall
    /// The clock, but always later than the time before.
    case monotonic
}
