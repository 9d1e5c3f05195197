import OAuthSigning

/// WooCommerce's: WordPress's shape of an error.
struct WooCommerceWording: RefusalWording {
    private struct Report: Encodable {
        struct Details: Encodable {
            let status: Int
        }
        let code: String
        let message: String
        let data: Details
    }

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        let (code, message) = Self.words(refusal)
        return .json(Report(code: code, message: message, data: Report.Details(status: 401)), status: 401)
    }

    private static func words(_ refusal: ProviderRefusal) -> (code: String, message: String) {
        let error = "woocommerce_rest_authentication_error"
        return switch refusal {
        case .verification(.notSigned):
            ("woocommerce_rest_cannot_view", "Sorry, you cannot list resources.")
        case .verification(.parameterAbsent(let name)):
            ("woocommerce_rest_authentication_missing_parameter", "Missing OAuth parameter \(name)")
        case .verification(.consumerKeyUnknown): (error, "Consumer key is invalid.")
        case .verification(.signatureMethodRejected): (error, "Invalid signature - signature method is invalid.")
        case .verification(.signatureInvalid): (error, "Invalid signature - provided signature does not match.")
        case .timestampRefused: (error, "Invalid timestamp.")
        case .nonceUsed: (error, "Invalid nonce - nonce has already been used.")
        default: (error, refusal.description)
        }
    }
}
