import OAuthSigning

/// NetSuite's: the challenge says what is wrong, in a word of its own; the body says no more than that.
struct NetSuiteWording: RefusalWording {
    private struct Report: Encodable {
        struct Entry: Encodable {
            let code: String
            let message: String
        }
        let error: Entry
    }

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        let message = "Invalid login attempt."
        let word = Self.word(refusal)
        let challenge = "OAuth realm=\"\(realm)\", error=\"\(word)\", error_description=\"\(message)\""
        return .json(
            Report(error: Report.Entry(code: "INVALID_LOGIN_ATTEMPT", message: message)),
            status: 401,
            fields: [("WWW-Authenticate", challenge)]
        )
    }

    private static func word(_ refusal: ProviderRefusal) -> String {
        switch refusal {
        case .timestampRefused: "timestamp_refused"
        case .nonceUsed: "nonce_used"
        case .verification(.parameterRejected(name: "oauth_nonce")): "nonce_rejected"
        case .verification(.consumerKeyUnknown): "consumer_key_unknown"
        case .verification(.signatureInvalid): "signature_invalid"
        case .verification(.signatureMethodRejected): "signature_method_rejected"
        case .realmRejected: "InvalidRealm"
        default: refusal.isAboutToken ? "token_rejected" : refusal.problem
        }
    }
}
