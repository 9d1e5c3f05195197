extension EnrolmentCheck {
    /// What the answer to GET `url` says of the claim.
    func outcome(
        of answer: ProviderAnswer,
        to url: String,
        proving credential: StoredCredential
    ) -> EnrolmentOutcome {
        let wasAnswered = "GET \(url) was answered \(answer.status)"
        let settings = "enrolment.access_types.\(claim.accessType.rawValue)"
        guard !answer.isOversized else {
            return .unavailable(detail: "\(wasAnswered), with more than 64 KiB. Check verify_url of \(settings).")
        }
        switch answer.status {
        case 200...299:
            break
        // Nothing but the token differs from one claim to the next; some providers answer 400 to one that is malformed.
        case 400, 401, 403:
            return .refused(detail: "The provider does not accept the passcode: \(wasAnswered)." + said(answer))
        case 429:
            return .unavailable(
                detail: "\(wasAnswered): the provider allows no more requests for now. Wait." + said(answer)
            )
        case 300...399:
            return .unavailable(
                detail: "\(wasAnswered), a redirect, which is never followed. Check verify_url of \(settings)."
            )
        case 500...:
            return .unavailable(detail: "\(wasAnswered): the provider failed. Try again later." + said(answer))
        default:
            return .unavailable(detail: "\(wasAnswered). Check verify_url of \(settings)." + said(answer))
        }
        guard let object = JSONObject(answer.words) else {
            return .unavailable(detail: "\(wasAnswered), but with no JSON object. Check verify_url of \(settings).")
        }
        let id: String
        switch object[target.idMember] {
        case .text(let text), .number(let text):
            id = text
        case nil:
            return .unavailable(
                detail: "\(wasAnswered), with a JSON object whose outermost members do not include "
                    + "\"\(target.idMember)\". Check verify_url and id of \(settings)."
            )
        case .null, .other, .repeated:
            return .unavailable(
                detail: "\(wasAnswered), with a JSON object whose member \"\(target.idMember)\" is not one text or "
                    + "number. Check id of \(settings)."
            )
        }
        // Octet for octet: texts that merely look alike are other accounts. Whose token it is, is not told.
        guard id.utf8.elementsEqual(claim.passkey.utf8) else {
            return .refused(detail: "The provider says that the passcode is of another account than passkey names.")
        }
        var credential = credential
        credential.attributes[target.idMember] = id
        return .verified(credential)
    }

    private func said(_ answer: ProviderAnswer) -> String {
        let words = scrubber.words(of: answer.words)
        return words.isEmpty ? "" : " It said: \(words)"
    }
}
