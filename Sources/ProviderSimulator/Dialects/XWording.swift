import OAuthSigning

/// X's: a number and a sentence, in JSON or XML, or a line of text; the token endpoints answer in text whatever the
/// format is.
struct XWording: RefusalWording {
    enum Format {
        case json
        case xml
        case text
    }

    private struct Report: Encodable {
        struct Entry: Encodable {
            let code: Int
            let message: String
        }
        let errors: [Entry]
    }

    let format: Format

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        let fields = [challenge(refusal, realm: realm)]
        if endpoint.isExchange, let text = Self.exchangeText(refusal) {
            return .text(text, status: 401, fields: fields)
        }
        let (code, message) = Self.code(refusal)
        switch format {
        case .json:
            return .json(Report(errors: [Report.Entry(code: code, message: message)]), status: 401, fields: fields)
        case .xml:
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <errors><error code="\(code)">\(message)</error></errors>

                """
            return .text(text, status: 401, contentType: "application/xml;charset=utf-8", fields: fields)
        case .text: return .text(message, status: 401, fields: fields)
        }
    }

    /// Returns the text of a refusal; what only the clock or the token is to blame for is told as for a resource.
    private static func exchangeText(_ refusal: ProviderRefusal) -> String? {
        switch refusal {
        case .timestampRefused, .verification(.tokenRejected), .tokenExpired, .tokenRevoked: nil
        case .reverseAuthInvalid: "Reverse auth credentials are invalid"
        case .loginFailed: "Invalid user name or password"
        case .callbackRejected: "Callback URL not approved for this client application"
        case .verifierInvalid: "Error processing your OAuth request: Invalid oauth_verifier parameter"
        case .tokenUsed, .notApproved, .approvalDenied: "Invalid request token."
        default: "Failed to validate oauth signature and token"
        }
    }

    private static func code(_ refusal: ProviderRefusal) -> (code: Int, message: String) {
        switch refusal {
        case .verification(.notSigned), .verification(.parameterAbsent): (215, "Bad Authentication data.")
        case .timestampRefused: (135, "Timestamp out of bounds.")
        case .notReverseAuth, .reverseAuthInvalid, .approvalDenied, .loginFailed:
            (87, "Client is not permitted to perform this action.")
        default: refusal.isAboutToken ? (89, "Invalid or expired token.") : (32, "Could not authenticate you.")
        }
    }
}
