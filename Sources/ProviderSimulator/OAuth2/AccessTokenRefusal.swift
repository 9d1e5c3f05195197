/// The reason why a request with an access token, or without the one it needs, is refused (RFC 6750, section 3.1).
package enum AccessTokenRefusal: Sendable, Equatable {
    case missing
    case unknown
    case expired
    case revoked

    /// The value of `error`; nil for a request that has no token, which is told only what to bring.
    package var error: String? {
        switch self {
        case .missing: nil
        case .unknown, .expired, .revoked: "invalid_token"
        }
    }
}

extension AccessTokenRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "There is no access token."
        case .unknown: "The access token is not known."
        case .expired: "The access token has expired."
        case .revoked: "The access token was revoked."
        }
    }
}
