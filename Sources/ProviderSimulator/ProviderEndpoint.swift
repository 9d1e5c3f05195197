/// The purpose of a request to the provider.
package enum ProviderEndpoint: Sendable, CaseIterable {
    /// Temporary credentials (RFC 5849, section 2.1), or the first step of reverse auth.
    case requestToken
    /// The page where a user approves (RFC 5849, section 2.2).
    case authorize
    /// Token credentials (RFC 5849, section 2.3), the second step of reverse auth, or xAuth.
    case accessToken
    /// The token endpoint of OAuth 2.
    case token
    /// The user whose token it is.
    case identity
    case resource

    /// Indicates whether a client asks for a token there.
    package var isExchange: Bool {
        switch self {
        case .requestToken, .accessToken, .token: true
        case .authorize, .identity, .resource: false
        }
    }
}

/// The outcome of a request, for the ledger, and the answer to it.
struct EndpointResult {
    let outcome: ProviderEvent.Outcome
    let answer: SimulatedAnswer
}
