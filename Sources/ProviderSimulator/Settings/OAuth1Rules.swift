package import OAuthSigning

/// The demands of the provider on a signed request, beyond a right signature.
package struct OAuth1Rules: Sendable {
    package enum TimestampRule: Sendable {
        /// Any timestamp within the tolerance.
        case window
        /// A timestamp within the tolerance, and none before the last one of the same client and token, as NetSuite has
        /// it.
        case neverBeforeTheLast
    }

    package var signatureMethods = Set(SignatureMethod.allCases)
    /// The number of seconds that a timestamp may be away from the provider's clock.
    package var timestampTolerance: UInt64 = 300
    package var timestamps = TimestampRule.window
    package var minimumNonceLength = 1
    /// Indicates whether the realm of the request must be the provider's, character for character.
    package var requiresRealm = false

    package init() {}
}
