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

/// The refusals of OAuth 2's token endpoint: as RFC 6749, section 5.2 has them, or in oPRO's words, which repeat what
/// was sent.
struct GrantWording {
    private struct Report: Encodable {
        let error: String
        let error_description: String?
    }

    let style: PasswordGrantRules.Style
    let realm: String

    func answer(to refusal: GrantRefusal, _ request: ReceivedRequest) -> SimulatedAnswer {
        switch style {
        case .rfc6749: rfc6749(refusal)
        case .oPRO: .json(Report(error: Self.oPROMessage(refusal, request.form), error_description: nil), status: 401)
        }
    }

    private func rfc6749(_ refusal: GrantRefusal) -> SimulatedAnswer {
        var fields = [("Cache-Control", "no-store"), ("Pragma", "no-cache")]
        var status = 400
        if case .invalidClient(let challenged) = refusal {
            status = 401
            if challenged { fields.append(("WWW-Authenticate", "Basic realm=\"\(realm)\"")) }
        }
        let report = Report(error: refusal.error, error_description: refusal.description)
        return .json(report, status: status, fields: fields)
    }

    private static func oPROMessage(_ refusal: GrantRefusal, _ form: FormPairs) -> String {
        var message = "Could not find a user that belongs to this application"
        if case .invalidClient = refusal {
            message += " based on client_id=\(form["client_id"] ?? "")"
            message += " and client_secret=\(form["client_secret"] ?? "")"
        }
        if let refreshToken = form["refresh_token"] { message += " & has a refresh_token=\(refreshToken)" }
        if form["password"] != nil { message += " using username and password" }
        return message
    }
}
