/// Magento 2 and Adobe Commerce: sentences in JSON, with the numbers of the OAuth errors in older versions.
enum MagentoErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        guard let json = answer.json, let message = json["message"]?.text, answer.status == 400 || answer.isRefusal
        else { return nil }
        if var finding = finding(message) {
            if let field = json["parameters"]?["fieldname"]?.text {
                finding.missingParameters = WordsReader.parameterNames(in: Array(field.utf8))
            }
            // Forms have required fields too.
            return finding.cause == .parameterAbsent && finding.missingParameters.isEmpty ? nil : finding
        }
        guard let code = json["code"]?.number, let cause = causes[code], isAboutOAuth(message, of: answer) else {
            return nil
        }
        // Who has such a number for something else says so.
        let phrase = Phrase.first(in: ByteSearch.lowercased(message.utf8), isRefusal: answer.isRefusal)
        guard phrase == nil || phrase?.cause == cause else { return nil }
        return ProviderFinding(cause: cause, dialect: .magento, words: message)
    }

    /// Returns the finding of a sentence that has something within that is not always the same.
    static func finding(_ message: String) -> ProviderFinding? {
        let lowered = ByteSearch.lowercased(message.utf8)
        let contains = { (words: String) in ByteSearch.index(of: words.utf8, in: lowered) != nil }
        let cause: ProviderDiagnosis.Cause
        if lowered.starts(with: "signature method ".utf8), contains(" is not supported") {
            cause = .signatureMethodRejected
        } else if contains("oauth version is"), contains("supported") {
            cause = .versionRejected
        } else if contains("\"oauth_") || contains("\"%fieldname\""), contains("is required. enter and try again") {
            cause = .parameterAbsent
        } else {
            return nil
        }
        return ProviderFinding(
            cause: cause,
            dialect: .magento,
            words: message,
            missingParameters: cause == .parameterAbsent ? WordsReader.parameterNames(in: lowered) : []
        )
    }

    /// A number as small as these is anything else's too: the message says what it is about, or an OAuth challenge.
    private static func isAboutOAuth(_ message: String, of answer: RefusedAnswer) -> Bool {
        if answer.challenge("oauth") != nil || ProblemReporting.cause(of: message) != nil { return true }
        let lowered = ByteSearch.lowercased(message.utf8)
        return ["oauth", "nonce", "timestamp", "signature", "consumer", "token", "request could not be authorized"]
            .contains { ByteSearch.index(of: $0.utf8, in: lowered) != nil }
    }

    private static let causes: [Int: ProviderDiagnosis.Cause] = [
        1: .versionRejected, 2: .parameterAbsent, 3: .parameterRejected, 4: .timestampRefused, 5: .nonceUsed,
        6: .signatureMethodRejected, 7: .signatureInvalid, 8: .consumerKeyRefused, 9: .tokenRefused,
        10: .tokenRefused, 11: .tokenRefused, 12: .tokenRefused,
    ]
}
