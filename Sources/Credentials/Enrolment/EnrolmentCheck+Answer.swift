extension EnrolmentCheck {
    /// What the answer to GET `url` says of the claim.
    func outcome(
        of response: ExchangeResponse,
        to url: String,
        proving credential: StoredCredential
    ) -> EnrolmentOutcome {
        let answer = ProviderAnswer(response)
        let wasAnswered = "GET \(url) was answered \(answer.status)"
        guard !answer.isOversized else {
            return .unavailable(detail: "\(wasAnswered), with more than 64 KiB. Check verify_url of \(setting).")
        }
        switch answer.status {
        case 200...299:
            return outcome(ofSuccess: response, wasAnswered, proving: credential)
        // Nothing but the token differs from one claim to the next; some providers answer 400 to one that is malformed.
        case 400, 401, 403:
            return refusal(response, wasAnswered)
        case 429:
            return .unavailable(
                detail: "\(wasAnswered): the provider allows no more requests for now. Wait." + said(answer)
            )
        case 300...399:
            return .unavailable(
                detail: "\(wasAnswered), a redirect, which is never followed. Check verify_url of \(setting)."
            )
        case 500...:
            return .unavailable(detail: "\(wasAnswered): the provider failed. Try again later." + said(answer))
        default:
            return .unavailable(detail: "\(wasAnswered). Check verify_url of \(setting)." + said(answer))
        }
    }

    var setting: String { "enrolment.access_types.\(claim.accessType.rawValue)" }

    private func outcome(
        ofSuccess response: ExchangeResponse,
        _ wasAnswered: String,
        proving credential: StoredCredential
    ) -> EnrolmentOutcome {
        let fault: String
        let object = JSONObject(response.body)
        switch object?[target.idMember] {
        case .text(let id), .number(let id):
            // Octet for octet: texts that merely look alike are other accounts. Whose token it is, is not told.
            guard id.utf8.elementsEqual(claim.passkey.utf8) else {
                return .refused(detail: "The provider says that the passcode is of another account than passkey names.")
            }
            var credential = credential
            credential.attributes[target.idMember] = id
            return .verified(credential)
        case .null, .other, .repeated:
            fault = "with a JSON object whose member \"\(target.idMember)\" is not one text or number. Check id"
        case nil:
            // Flickr says no with a 200, and others at times.
            if let diagnosis = diagnosis(of: response) { return outcome(diagnosis, wasAnswered) }
            fault =
                object == nil
                ? "but with no JSON object. Check verify_url"
                : "with a JSON object whose outermost members do not include \"\(target.idMember)\". Check verify_url "
                    + "and id"
        }
        return .unavailable(detail: "\(wasAnswered), \(fault) of \(setting).")
    }

    // MARK: Refusals

    private func refusal(_ response: ExchangeResponse, _ wasAnswered: String) -> EnrolmentOutcome {
        if let diagnosis = diagnosis(of: response) { return outcome(diagnosis, wasAnswered) }
        return .refused(
            detail: "The provider does not accept the passcode: \(wasAnswered)." + said(ProviderAnswer(response))
        )
    }

    private func diagnosis(of response: ExchangeResponse) -> ProviderDiagnosis? {
        ProviderDiagnosis.read(
            status: response.status,
            fields: response.fields,
            body: response.body,
            secrets: secrets
        )
    }

    private func outcome(_ diagnosis: ProviderDiagnosis, _ wasAnswered: String) -> EnrolmentOutcome {
        guard concernsClaim(diagnosis) else {
            let context = ProviderDiagnosis.Context(api: "the API", account: "the claim")
            return .unavailable(detail: "\(wasAnswered), for no fault of the claim. \(diagnosis.sentence(context))")
        }
        let words = diagnosis.words.isEmpty ? "" : " It said: \(diagnosis.words)"
        return .refused(detail: "The provider does not accept the passcode: \(wasAnswered).\(words)")
    }

    /// Whether it is the passcode that is refused, and not the way in which the provider is asked: then it has not said
    /// whether the claim is true.
    private func concernsClaim(_ diagnosis: ProviderDiagnosis) -> Bool {
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

    private func said(_ answer: ProviderAnswer) -> String {
        let words = Scrubber(secrets: secrets).words(of: answer.words)
        return words.isEmpty ? "" : " It said: \(words)"
    }
}
