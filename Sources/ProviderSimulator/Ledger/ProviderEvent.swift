package import OAuthSigning

/// One request in the provider's ledger, and what came of it.
package struct ProviderEvent: Sendable {
    package enum Outcome: Sendable {
        /// Step 1 of reverse auth: the answer is the text for step 2.
        case requestTokenGranted(VerifiedRequest)
        case temporaryCredentialsGranted(VerifiedRequest)
        /// The page where a user approves was shown.
        case authorizationAsked
        case authorizationApproved(ProviderUser)
        case authorizationDenied
        /// Token credentials were issued.
        case accessTokenGranted(VerifiedRequest, AcceptedToken, GrantKind)
        /// An access token of OAuth 2 was issued.
        case tokenIssued(AcceptedAccessToken, GrantKind)
        /// A signed request for a protected resource; the user is nil for one without a token.
        case resourceServed(VerifiedRequest, user: ProviderUser?)
        /// A request with an access token for a protected resource.
        case resourceServedToToken(ProviderUser)
        case refused(ProviderRefusal)
        /// The request was treated as ``OAuthProvider/disturb(_:with:)`` said.
        case failureInjected
    }

    /// The number of the event, from 1 on.
    package let number: Int
    package let request: ReceivedRequest
    package let endpoint: ProviderEndpoint
    package let outcome: Outcome
    /// The answer; nil when there was none.
    package let answer: SimulatedAnswer?

    /// The request that the provider found to be signed rightly; nil when it refused, or when nothing had to be signed.
    package var verified: VerifiedRequest? {
        switch outcome {
        case .requestTokenGranted(let verified), .temporaryCredentialsGranted(let verified),
            .accessTokenGranted(let verified, _, _), .resourceServed(let verified, _):
            verified
        case .authorizationAsked, .authorizationApproved, .authorizationDenied, .tokenIssued, .resourceServedToToken,
            .refused, .failureInjected:
            nil
        }
    }

    /// The way in which a token was got; nil when none was.
    package var grant: GrantKind? {
        switch outcome {
        case .accessTokenGranted(_, _, let kind), .tokenIssued(_, let kind): kind
        default: nil
        }
    }

    /// The reason why the request was refused; nil when it was not.
    package var refusal: ProviderRefusal? {
        if case .refused(let refusal) = outcome { refusal } else { nil }
    }
}

/// The way in which a client came by a token.
package enum GrantKind: Sendable, CaseIterable {
    case reverseAuth
    case threeLegged
    case xAuth
    /// The password grant of RFC 6749, section 4.3, or oPRO's.
    case password
    /// The refresh of RFC 6749, section 6, or oPRO's.
    case refresh
}
