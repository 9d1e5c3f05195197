import OAuthSigning

/// A resource for which a request must be signed.
struct SignedResource {
    let endpoint: ProviderEndpoint

    func answer(_ request: ReceivedRequest, _ verified: VerifiedRequest, _ state: ProviderState) -> EndpointResult {
        let user = verified.token.flatMap { state.tokens[$0]?.token.user }
        let answer =
            if endpoint == .identity, let user {
                SimulatedAnswer.json(IdentityReport(user: user))
            } else {
                SimulatedAnswer(
                    status: 200,
                    contentType: SimulatedAnswer.jsonType,
                    body: VerificationReport(request, verified, user: user).json
                )
            }
        return EndpointResult(outcome: .resourceServed(verified, user: user), answer: answer)
    }
}
