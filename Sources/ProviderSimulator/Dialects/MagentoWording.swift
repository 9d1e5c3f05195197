/// Adobe Commerce's: a number from 1 on and the problem; its token endpoints answer in the words of the Problem
/// Reporting extension.
struct MagentoWording: RefusalWording {
    private struct Report: Encodable {
        let message: String
        let code: Int
    }

    private static let numbers = [
        "version_rejected": 1, "parameter_absent": 2, "parameter_rejected": 3, "timestamp_refused": 4,
        "nonce_used": 5, "signature_method_rejected": 6, "signature_invalid": 7, "consumer_key_rejected": 8,
        "token_used": 9, "token_expired": 10, "token_revoked": 11, "token_rejected": 12, "verifier_invalid": 13,
        "permission_unknown": 14, "permission_denied": 15,
    ]

    func answer(to refusal: ProviderRefusal, at endpoint: ProviderEndpoint, realm: String) -> ProviderAnswer {
        // It does not tell an unknown consumer key from one that it rejects.
        let problem = refusal.problem == "consumer_key_unknown" ? "consumer_key_rejected" : refusal.problem
        if endpoint.isExchange {
            return .form(
                [("oauth_problem", problem)],
                status: refusal.problemStatus,
                contentType: "application/x-www-form-urlencoded"
            )
        }
        let number = Self.numbers[problem] ?? 3
        return .json(Report(message: problem, code: number), status: refusal.problemStatus)
    }
}
