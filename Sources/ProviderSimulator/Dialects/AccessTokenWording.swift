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
