/// WooCommerce: codes that begin with `woocommerce_`, and sentences.
enum WooCommerceErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        guard let json = answer.json else { return nil }
        for error in [json] + (json["errors"]?.elements ?? []) {
            guard let code = error["code"]?.text, code.hasPrefix("woocommerce_"),
                let cause = cause(of: code, message: error["message"]?.text ?? "", status: answer.status)
            else { continue }
            let message = error["message"]?.text ?? code
            let names = WordsReader.parameterNames(in: ByteSearch.lowercased(message.utf8))
            return ProviderFinding(
                cause: cause,
                dialect: .woocommerce,
                words: message,
                missingParameters: cause == .parameterAbsent ? names : []
            )
        }
        return nil
    }

    private static func cause(of code: String, message: String, status: Int) -> ProviderDiagnosis.Cause? {
        if code.hasSuffix("_authentication_missing_parameter") { return .parameterAbsent }
        // Of the API before that one, which knows no guests.
        if code.hasPrefix("woocommerce_api_user_cannot_"), status == 401 || status == 403 { return .permissionDenied }
        // A request that nobody vouches for is one of a guest: 401. One of a user who may not is 403.
        if code.hasPrefix("woocommerce_rest_cannot_") {
            return status == 401 ? .credentialsMissing : status == 403 ? .permissionDenied : nil
        }
        guard code.hasSuffix("_authentication_error") else { return nil }
        let lowered = ByteSearch.lowercased(message.utf8)
        let known = sentences.first { lowered.starts(with: $0.words.utf8) }?.cause
        return known ?? Phrase.first(in: lowered, isRefusal: true)?.cause ?? .unknown
    }

    private static let sentences: [(words: String, cause: ProviderDiagnosis.Cause)] = [
        ("consumer key is invalid", .consumerKeyUnknown),
        ("consumer secret is invalid", .signatureInvalid),
        ("invalid timestamp", .timestampRefused),
        ("the api key provided does not have", .permissionDenied),
        ("the provided api key cannot be used", .permissionDenied),
    ]
}
