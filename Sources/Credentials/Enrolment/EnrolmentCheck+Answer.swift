import Bytes
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

        /// The diagnosis of the answer; nil when it is no refusal of authorization.
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
                .parameterAbsent, .consumerKeyUnknown, .consumerKeyRefused, .realmWrong, .authenticationUnsupported,
                .limited:
                false
            }
        }
    }
}

extension EnrolmentCheck {
    /// Returns what the answer to GET `url` says of the claim.
    func outcome(
        of response: ExchangeResponse,
        to url: String,
        proving credential: StoredCredential
    ) -> EnrolmentOutcome {
        let isAccessToken = if case .access = credential.token { true } else { false }
        let answer = Answer(
            response,
            request: "GET \(url)",
            secrets: secrets(credential.token),
            authorization: isAccessToken ? .accessToken : .clientAndToken
        )
        let wasAnswered = answer.wasAnswered
        guard response.body.count <= ProviderAnswer.limit else {
            return .unavailable(detail: "\(wasAnswered), with more than 64 KiB. Check verify_url of \(setting).")
        }
        switch response.status {
        case 200...299:
            return outcome(ofSuccess: answer, proving: credential)
        // Nothing but the token differs from one claim to the next; some providers answer 400 to one that is malformed.
        case 400, 401, 403:
            return answer.refusal
        case 429:
            return .unavailable(
                detail: "\(wasAnswered): the provider allows no more requests for now. Wait." + answer.words
            )
        case 300...399:
            return .unavailable(
                detail: "\(wasAnswered), a redirect, which is never followed. Check verify_url of \(setting)."
            )
        case 500...:
            return .unavailable(detail: "\(wasAnswered): the provider failed. Try again later." + answer.words)
        default:
            return .unavailable(detail: "\(wasAnswered). Check verify_url of \(setting)." + answer.words)
        }
    }

    var setting: String { "enrolment.access_types.\(claim.accessType.rawValue)" }

    private func outcome(
        ofSuccess answer: Answer,
        proving credential: StoredCredential
    ) -> EnrolmentOutcome {
        let fault: String
        let object = JSONObject(answer.response.body)
        switch object?[target.idMember] {
        case .text(let id), .number(let id):
            // Byte for byte: texts that merely look alike are other accounts. Whose token it is, is not told.
            guard sameBytes(id, claim.passkey) else {
                return .refused(detail: "The provider says that the passcode is of another account than passkey names.")
            }
            var credential = credential
            credential.attributes[target.idMember] = id
            return .verified(credential)
        case .null, .other, .repeated:
            fault = "with a JSON object whose member \"\(target.idMember)\" is not one text or number. Check id"
        case nil:
            // Flickr says no with a 200, and others at times.
            if answer.diagnosis != nil { return answer.refusal }
            fault =
                object == nil
                ? "but with no JSON object. Check verify_url"
                : "with a JSON object whose outermost members do not include \"\(target.idMember)\". Check verify_url "
                    + "and id"
        }
        return .unavailable(detail: "\(answer.wasAnswered), \(fault) of \(setting).")
    }

    /// Returns the outcome of a password grant that brought no token.
    static func outcome(of failure: ExchangeFailure) -> EnrolmentOutcome {
        let isRefusal =
            switch (failure.cause, failure.status) {
            case (.loginRefused, _): true
            // The client is to blame, or the way of asking, and the provider has not looked at the password.
            case (.clientRefused, _), (.parametersRefused, _), (.limited, _), (.notPermitted, 400): false
            case (_, 400), (_, 401), (_, 403), (_, 422): true
            default: false
            }
        guard isRefusal else { return .unavailable(detail: failure.detail) }
        let status = failure.status.map { " (\(failure.step): status \($0))" } ?? ""
        let words = failure.words.isEmpty ? "" : " It said: \(failure.words)"
        return .refused(detail: "The provider does not accept passkey and passcode\(status).\(words)")
    }

    /// Returns the secrets that are not repeated from the provider's words.
    private func secrets(_ token: AccountToken) -> [Secret] {
        var secrets = [claim.passcode]
        switch token {
        case .oauth1(let token): secrets += token.secrets
        case .access(let token): secrets += [token.value] + (token.refreshToken.map { [$0] } ?? [])
        }
        switch scheme {
        case .oauth1(let settings): secrets.append(settings.client.sharedSecret)
        case .oauth2(let settings): secrets.append(settings.clientSecret)
        case .bearer: break
        }
        return secrets
    }
}
