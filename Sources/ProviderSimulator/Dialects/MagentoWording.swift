import OAuthSigning

/// Adobe Commerce's: a sentence and a number from 1 on; its token endpoints send the sentence as `oauth_problem`.
struct MagentoWording: RefusalWording {
    private struct Report: Encodable {
        let message: String
        let code: Int
    }

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        let (code, message) = Self.words(refusal)
        if endpoint.isExchange {
            return .form(
                [("oauth_problem", message)],
                status: refusal.problemStatus,
                contentType: "application/x-www-form-urlencoded"
            )
        }
        return .json(Report(message: message, code: code), status: refusal.problemStatus)
    }

    private static func words(_ refusal: ProviderRefusal) -> (code: Int, message: String) {
        switch refusal {
        case .verification(.versionRejected): (1, "OAuth version is not supported.")
        case .verification(.notSigned): (2, "\"oauth_consumer_key\" is required. Enter and try again.")
        case .verification(.parameterAbsent(let name)): (2, "\"\(name)\" is required. Enter and try again.")
        case .timestampRefused: (4, "The timestamp value in the oauth_timestamp parameter is incorrect.")
        case .nonceUsed: (5, "The nonce is already being used by the consumer with ID 1.")
        case .verification(.signatureMethodRejected): (6, "Signature method of the request is not supported.")
        case .verification(.signatureInvalid): (7, "The signature is invalid. Verify and try again.")
        case .verification(.consumerKeyUnknown): (8, "A consumer having the specified key does not exist.")
        case .tokenUsed: (9, "The token is already being used.")
        case .tokenExpired: (10, "The token has expired.")
        case .tokenRevoked: (11, "The token is revoked.")
        case .verification(.tokenRejected), .tokenOfOtherClient: (12, "The specified token does not exist.")
        case .verifierInvalid: (13, "The verifier is invalid.")
        case .notApproved: (14, "The permission is unknown.")
        case .approvalDenied, .reverseAuthInvalid, .loginFailed: (15, "The permission was denied.")
        default: (3, refusal.description)
        }
    }
}
