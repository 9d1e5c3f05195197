import OAuthSigning

/// Mastercard's gateway: a reason code, and for a wrong signature the base string that it would have accepted.
struct MastercardWording: RefusalWording {
    private struct Report: Encodable {
        struct Errors: Encodable {
            let Error: [Entry]
        }
        struct Entry: Encodable {
            let Source = "Gateway"
            let ReasonCode: String
            let Description: String
            let Recoverable = false

            private enum CodingKeys: CodingKey {
                case Source, ReasonCode, Description, Recoverable, Details
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(Source, forKey: .Source)
                try container.encode(ReasonCode, forKey: .ReasonCode)
                try container.encode(Description, forKey: .Description)
                try container.encode(Recoverable, forKey: .Recoverable)
                try container.encodeNil(forKey: .Details)
            }
        }
        let Errors: Errors
    }

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> SimulatedAnswer {
        let (status, reason, description) = Self.words(refusal)
        let entry = Report.Entry(ReasonCode: reason, Description: description)
        return .json(Report(Errors: Report.Errors(Error: [entry])), status: status)
    }

    private static func words(_ refusal: ProviderRefusal) -> (status: Int, reason: String, description: String) {
        switch refusal {
        case .verification(.signatureInvalid(let baseString)):
            (
                401, "AUTHENTICATION_FAILED",
                "OAuth signatures did not match. Acceptable signature base string: \(baseString)"
            )
        case .verification(.bodyHashInvalid):
            (
                400, "INVALID_BODY_HASH",
                "The provided oauth_body_hash does not match the SHA256 hash of the request payload."
            )
        case .verification(.parameterAbsent(let name)):
            (400, "INVALID_OAUTH_SBS", "Problem with signature base string. Missing \(name)")
        case .verification(.notSigned):
            (400, "INVALID_OAUTH_SBS", "Problem with signature base string. Missing oauth_consumer_key")
        case .verification(.consumerKeyUnknown): (401, "INVALID_CLIENT_ID", "The consumer key is not known.")
        case .timestampRefused: (401, "INVALID_OAUTH_TIMESTAMP", "The oauth_timestamp is not acceptable.")
        case .nonceUsed: (401, "NONCE_USED", "The oauth_nonce was used before.")
        default: (401, "AUTHENTICATION_FAILED", refusal.description)
        }
    }
}
