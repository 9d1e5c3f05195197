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

/// RFC 6750, section 3, or oPRO's: how a request without a good access token is refused.
struct AccessTokenWording {
    private struct Report: Encodable {
        let error: String
        let error_description: String
    }

    private struct Errors: Encodable {
        let errors: [String]
    }

    let protection: ResourceProtection
    let realm: String

    func answer(to refusal: AccessTokenRefusal) -> SimulatedAnswer {
        if protection == .tokenParameter {
            return .json(
                Errors(errors: [refusal.description]),
                status: 401,
                fields: [("WWW-Authenticate", "Token realm=\"\(realm)\"")]
            )
        }
        var challenge = "Bearer realm=\"\(realm)\""
        guard let error = refusal.error else {
            return .text("", status: 401, fields: [("WWW-Authenticate", challenge)])
        }
        challenge += ", error=\"\(error)\", error_description=\"\(refusal.description)\""
        return .json(
            Report(error: error, error_description: refusal.description),
            status: 401,
            fields: [("WWW-Authenticate", challenge)]
        )
    }
}
