/// Facebook's Graph API: nearly every error has the type OAuthException; the code tells which are about authorization.
enum FacebookErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        guard let error = answer.json?["error"], error["type"]?.text == "OAuthException",
            let code = error["code"]?.number
        else { return nil }
        let cause: ProviderDiagnosis.Cause
        switch code {
        case 102, 190: cause = .tokenRefused
        case 10, 200...299: cause = .permissionDenied
        case 4, 17, 341: cause = .limited
        case 368: cause = .accountLocked
        default: return nil
        }
        return ProviderFinding(cause: cause, dialect: .facebook, words: error["message"]?.text ?? "")
    }
}
