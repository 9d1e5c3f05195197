import OAuthSigning

extension EnrolmentCheck {
    static func refusesTimestamp(_ response: ExchangeResponse) -> Bool {
        Answer(response, request: "", secrets: []).diagnosis?.cause == .timestampRefused
    }

    /// A provider's answer that may be a no.
    struct Answer {
        let response: ExchangeResponse
        /// Method and URL.
        let request: String
        /// The secrets that are not repeated from its words.
        let secrets: [Secret]
        /// The credentials that vouched for the request.
        private let authorization: ProviderDiagnosis.Context.Authorization

        init(
            _ response: ExchangeResponse,
            request: String,
            secrets: [Secret],
            authorization: ProviderDiagnosis.Context.Authorization = .clientAndToken
        ) {
            self.response = response
            self.request = request
            self.secrets = secrets
            self.authorization = authorization
        }

        /// The beginning of a sentence.
        var wasAnswered: String { "\(request) was answered \(response.status)" }

        /// The words of the answer, as a sentence of its own. May be empty.
        var words: String {
            Self.sentence(Scrubber(secrets: secrets).words(of: ProviderAnswer(response).words))
        }

        /// The outcome of an answer that says no.
        var refusal: EnrolmentOutcome {
            guard let diagnosis else {
                return .refused(detail: "The provider does not accept the passcode: \(wasAnswered).\(words)")
            }
            guard Self.concernsClaim(diagnosis) else {
                let context = ProviderDiagnosis.Context(
                    api: "the API",
                    account: "the claim",
                    authorization: authorization
                )
                return .unavailable(
                    detail: "\(wasAnswered), for no fault of the claim. \(diagnosis.sentence(context))"
                )
            }
            let words = Self.sentence(diagnosis.words)
            return .refused(detail: "The provider does not accept the passcode: \(wasAnswered).\(words)")
        }

        /// Nil when it is no refusal of authorization.
        var diagnosis: ProviderDiagnosis? {
            ProviderDiagnosis.read(
                status: response.status,
                fields: response.fields,
                body: response.body,
                secrets: secrets
            )
        }

        private static func sentence(_ words: String) -> String {
            words.isEmpty ? "" : " It said: \(words)"
        }

        /// Returns whether it is the passcode that is refused, and not the way in which the provider is asked: then it
        /// has not said whether the claim is true.
        private static func concernsClaim(_ diagnosis: ProviderDiagnosis) -> Bool {
            switch diagnosis.cause {
            case .tokenRefused, .signatureInvalid, .credentialsMissing, .permissionDenied, .accountLocked,
                .verifierRefused, .unknown:
                true
            case .parameterRejected:
                diagnosis.rejectedParameters.isEmpty || diagnosis.rejectedParameters.contains("oauth_token")
            case .timestampRefused, .nonceUsed, .signatureMethodRejected, .bodyHashWrong, .versionRejected,
                .parameterAbsent, .consumerKeyUnknown, .consumerKeyRefused, .realmWrong, .limited:
                false
            }
        }
    }
}
