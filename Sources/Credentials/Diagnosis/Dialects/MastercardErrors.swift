/// Mastercard's gateway: `Errors.Error[].ReasonCode`, in several spellings. Services behind it use the same shape for
/// errors of their own.
enum MastercardErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        guard let errors = answer.json?["errors"] else { return nil }
        for error in (errors["error"] ?? errors).elements {
            guard let reason = error["reasoncode"]?.text else { continue }
            let texts = ["description", "details"].compactMap { error[$0]?.text }
            if let cause = cause(of: reason, from: error["source"]?.text ?? "", saying: texts, in: answer) {
                return finding(cause, reason: reason, texts: texts)
            }
        }
        return nil
    }

    private static func cause(
        of reason: String,
        from source: String,
        saying texts: [String],
        in answer: RefusedAnswer
    ) -> ProviderDiagnosis.Cause? {
        let code = String(reason.uppercased().filter(\.isLetter))
        if code.contains("BODYHASH") { return .bodyHashWrong }
        // The gateway refuses for nothing but authorization what it refuses by these words.
        let source = source.lowercased()
        let isGateways = source == "gateway" || source == "oauth" || source.hasPrefix("security")
        if isGateways || answer.isRefusal || code.contains("OAUTH") {
            if let cause = cause(of: code, saying: texts, isRefusal: answer.isRefusal) { return cause }
        }
        for text in texts {
            if let finding = WordsReader.read(Array(text.utf8), isRefusal: true) { return finding.cause }
        }
        return answer.isRefusal && code == "AUTHENTICATIONFAILED" ? .unknown : nil
    }

    /// Returns the cause by the words of a code, so that one that is not documented tells, too.
    /// - Parameter code: Its letters, in capitals.
    private static func cause(
        of code: String,
        saying texts: [String],
        isRefusal: Bool
    ) -> ProviderDiagnosis.Cause? {
        guard code.contains("MISSING") else { return words.first { code.contains($0.word) }?.cause }
        // A service's own fields can be missing, too.
        let isOAuths = isRefusal || code.contains("OAUTH") || !parameterNames(in: texts).isEmpty
        return isOAuths ? .parameterAbsent : nil
    }

    /// The words that contain another word come first.
    private static let words: [(word: String, cause: ProviderDiagnosis.Cause)] = [
        ("TIMESTAMP", .timestampRefused), ("NONCE", .nonceUsed), ("SIGNATUREMETHOD", .signatureMethodRejected),
        ("SIGNATURE", .signatureInvalid), ("OAUTHSBS", .signatureInvalid), ("OAUTHVERSION", .versionRejected),
        ("CLIENTID", .consumerKeyUnknown), ("CONSUMERKEY", .consumerKeyUnknown), ("INVALIDKEY", .consumerKeyRefused),
        ("OAUTHTOKEN", .tokenRefused), ("ACCESSTOKEN", .tokenRefused), ("PERMISSIONDENIED", .permissionDenied),
        ("NOTPERMITTED", .permissionDenied), ("LIMITEXCEEDED", .limited), ("QUOTAEXCEEDED", .limited),
    ]

    private static func parameterNames(in texts: [String]) -> [String] {
        texts.flatMap { WordsReader.parameterNames(in: ByteSearch.lowercased($0.utf8)) }
    }

    private static func finding(_ cause: ProviderDiagnosis.Cause, reason: String, texts: [String]) -> ProviderFinding {
        let text = texts.first ?? ""
        let end = ExpectedBaseString.mark(in: Array(text.utf8))?.lowerBound
        let words = String(decoding: Array(text.utf8).prefix(end ?? .max), as: UTF8.self)
        return ProviderFinding(
            cause: cause,
            dialect: .mastercard,
            words: words.isEmpty ? reason : "\(reason): \(words)",
            missingParameters: cause == .parameterAbsent ? parameterNames(in: texts) : [],
            expectedBaseString: texts.lazy.compactMap { ExpectedBaseString.find(in: Array($0.utf8)) }.first
        )
    }
}
