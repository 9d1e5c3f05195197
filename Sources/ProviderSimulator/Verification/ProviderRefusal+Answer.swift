import OAuthSigning

extension ProviderRefusal {
    /// As X refuses a protected resource: 401, a challenge and a JSON body.
    func answer(realm: String) -> ProviderAnswer {
        var challenge = "OAuth realm=\"\(realm)\", oauth_problem=\"\(problem)\""
        if case .timestampRefused(let acceptable) = self {
            challenge += ", oauth_acceptable_timestamps=\"\(acceptable.lowerBound)-\(acceptable.upperBound)\""
        }
        return ProviderAnswer(
            status: 401,
            contentType: ProviderAnswer.jsonType,
            fields: [("WWW-Authenticate", challenge)],
            body: Array(#"{"errors":[{"code":\#(code),"message":"\#(message)"}]}"#.utf8)
        )
    }

    /// As Twitter's token endpoints refuse: 401 and a line of text. What only the clock is to blame for is said.
    func answerOfTokenEndpoint(realm: String) -> ProviderAnswer {
        let text =
            switch self {
            case .timestampRefused, .verification(.tokenRejected): nil as String?
            case .reverseAuthInvalid: "Reverse auth credentials are invalid"
            case .verification, .nonceUsed, .tokenOfOtherClient, .notReverseAuth:
                "Failed to validate oauth signature and token"
            }
        guard let text else { return answer(realm: realm) }
        return ProviderAnswer(
            status: 401,
            contentType: ProviderAnswer.textType,
            fields: answer(realm: realm).fields,
            body: Array(text.utf8)
        )
    }
}
