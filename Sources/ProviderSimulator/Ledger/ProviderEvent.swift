package import OAuthSigning

/// One request in the provider's ledger, and what came of it.
package struct ProviderEvent: Sendable {
    package enum Outcome: Sendable {
        /// Step 1 of reverse auth: the answer is the text for step 2.
        case requestTokenGranted(VerifiedRequest)
        /// Step 2 of reverse auth: a token was issued.
        case accessTokenGranted(VerifiedRequest, AcceptedToken)
        /// A protected resource; the user is nil for a request without a token.
        case resourceServed(VerifiedRequest, user: ProviderUser?)
        case refused(ProviderRefusal)
        /// The answer is the one that was put in its place by ``OAuthProvider/fail(_:with:)``.
        case failureInjected
    }

    /// From 1 on.
    package let number: Int
    package let request: ReceivedRequest
    package let outcome: Outcome
    package let answer: ProviderAnswer

    /// What the provider found to be signed rightly; nil when it refused.
    package var verified: VerifiedRequest? {
        switch outcome {
        case .requestTokenGranted(let verified), .accessTokenGranted(let verified, _), .resourceServed(let verified, _):
            verified
        case .refused, .failureInjected: nil
        }
    }

    /// The exchange step that was asked for; nil for a protected resource.
    package var step: ExchangeStep? { ExchangeStep(request) }
}

extension ExchangeStep {
    /// Nil for a request to anything but a token endpoint.
    init?(_ request: ReceivedRequest) {
        guard request.method == "POST" else { return nil }
        self.init(rawValue: String(request.path))
    }
}
