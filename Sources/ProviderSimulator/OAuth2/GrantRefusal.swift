/// The reason why the token endpoint of OAuth 2 refuses (RFC 6749, section 5.2).
package enum GrantRefusal: Error, Sendable, Equatable {
    case invalidRequest(String)
    /// - Parameter challenged: The client had used the Authorization field, and is answered by a challenge.
    case invalidClient(challenged: Bool)
    case invalidGrant(String)
    case unsupportedGrantType

    /// The value of `error`.
    package var error: String {
        switch self {
        case .invalidRequest: "invalid_request"
        case .invalidClient: "invalid_client"
        case .invalidGrant: "invalid_grant"
        case .unsupportedGrantType: "unsupported_grant_type"
        }
    }
}

extension GrantRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidRequest(let what): what
        case .invalidClient: "The client is not known, or its secret is another."
        case .invalidGrant(let what): what
        case .unsupportedGrantType: "The grant type is neither password nor refresh_token."
        }
    }
}
