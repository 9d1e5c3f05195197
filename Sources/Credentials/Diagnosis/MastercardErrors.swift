/// Mastercard's gateway: `Errors.Error[].ReasonCode`, in several spellings. Services behind it use the same shape for
/// errors of their own.
enum MastercardErrors {
    static func read(_ answer: RefusedAnswer) -> Finding? {
        guard let errors = answer.json?["errors"] else { return nil }
        for error in (errors["error"] ?? errors).elements {
            guard let reason = error["reasoncode"]?.text else { continue }
            let texts = ["description", "details"].compactMap { error[$0]?.text }
            if let cause = cause(of: reason, saying: texts, of: answer) {
                return finding(cause, reason: reason, texts: texts)
            }
        }
        return nil
    }

    private static func cause(
        of reason: String,
        saying texts: [String],
        of answer: RefusedAnswer
    ) -> ProviderDiagnosis.Cause? {
        if reason.uppercased() == "INVALID_BODY_HASH" { return .bodyHashWrong }
        for text in texts {
            if let finding = WordsReader.read(Array(text.utf8), isRefusal: true) { return finding.cause }
        }
        return answer.isRefusal && reason.uppercased() == "AUTHENTICATION_FAILED" ? .unknown : nil
    }

    private static func finding(_ cause: ProviderDiagnosis.Cause, reason: String, texts: [String]) -> Finding {
        let text = texts.first ?? ""
        let end = ExpectedBaseString.mark(in: Array(text.utf8))?.lowerBound
        let words = String(decoding: Array(text.utf8).prefix(end ?? .max), as: UTF8.self)
        return Finding(
            cause: cause,
            dialect: .mastercard,
            words: "\(reason): \(words)",
            expectedBaseString: texts.lazy.compactMap { ExpectedBaseString.find(in: Array($0.utf8)) }.first
        )
    }
}
