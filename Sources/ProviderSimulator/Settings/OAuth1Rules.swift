package import OAuthSigning

/// What the provider insists on in a signed request, beyond a right signature.
package struct OAuth1Rules: Sendable {
    package enum TimestampRule: Sendable {
        /// Any within the tolerance.
        case window
        /// Besides: none before the last one of the same client and token, as NetSuite has it.
        case neverBeforeTheLast
    }

    package var signatureMethods = Set(SignatureMethod.allCases)
    /// How many seconds a timestamp may be away from the provider's clock.
    package var timestampTolerance: UInt64 = 300
    package var timestamps = TimestampRule.window
    package var minimumNonceLength = 1
    /// Whether the realm of the request must be the provider's, character for character.
    package var requiresRealm = false

    package init() {}
}
