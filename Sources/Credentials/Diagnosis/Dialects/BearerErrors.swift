/// The errors of bearer tokens (RFC 6750, section 3.1), in the challenge or in JSON, and of token endpoints (RFC 6749,
/// section 5.2).
enum BearerErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        for challenge in answer.challenges where challenge.scheme != "oauth" {
            guard let error = challenge.parameters["error"] else { continue }
            let words = challenge.parameters["error_description"]
            if let finding = finding(error, words, of: answer.endpoint) { return finding }
        }
        guard let error = answer.json?["error"]?.text else { return nil }
        return finding(error, answer.json?["error_description"]?.text, of: answer.endpoint)
    }

    private static func finding(_ error: String, _ words: String?, of endpoint: RefusedAnswer.Endpoint)
        -> ProviderFinding?
    {
        guard let cause = cause(of: error, at: endpoint) else { return nil }
        return ProviderFinding(cause: cause, dialect: .bearer, words: words.map { "\(error) (\($0))" } ?? error)
    }

    private static func cause(
        of error: String,
        at endpoint: RefusedAnswer.Endpoint
    ) -> ProviderDiagnosis.Cause? {
        switch (error, endpoint) {
        case ("invalid_token", _): .tokenRefused
        case ("insufficient_scope", _): .permissionDenied
        case ("invalid_grant", .token): .tokenRefused
        case ("invalid_client", .token): .consumerKeyRefused
        case ("unauthorized_client", .token), ("unsupported_grant_type", .token), ("invalid_scope", .token):
            .permissionDenied
        default: nil
        }
    }
}
