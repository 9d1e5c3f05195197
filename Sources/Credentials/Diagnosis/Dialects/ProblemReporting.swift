/// OAuth Problem Reporting: parameters in WWW-Authenticate or in the body. Magento 2 has sentences in the place of the
/// extension's words.
enum ProblemReporting {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        if let parameters = answer.challenges.lazy.compactMap(ProblemParameters.init).first {
            return finding(parameters, of: answer, shown: answer.text)
        }
        if let parameters = answer.json.flatMap(ProblemParameters.init) {
            return finding(parameters, of: answer, shown: answer.text)
        }
        for message in answer.messages {
            let message = Array(message.utf8)
            // A page about OAuth is no problem report, but a report may be within a page.
            guard answer.isRefusal || message.starts(with: "oauth_".utf8),
                let parameters = ProblemParameters(message)
            else { continue }
            return finding(parameters, of: answer, shown: message)
        }
        return nil
    }

    private static func finding(
        _ parameters: ProblemParameters,
        of answer: RefusedAnswer,
        shown text: [UInt8]
    ) -> ProviderFinding? {
        let problem = parameters.problem ?? ""
        var finding = ProviderFinding(cause: .unknown, dialect: .problemReporting, words: problem)
        if let cause = cause(of: problem) {
            finding.cause = cause
        } else if let sentence = WordsReader.read(Array(problem.utf8), isRefusal: true) {
            finding = sentence
        } else if parameters.acceptableTimestamps != nil {
            finding.cause = .timestampRefused
        } else if let magento = MagentoErrors.finding(problem) {
            finding = magento
        }
        if let advice = parameters.advice { finding.words += finding.words.isEmpty ? advice : ": \(advice)" }
        finding.missingParameters += parameters.missing
        finding.rejectedParameters += parameters.rejected
        finding.acceptableTimestamps = parameters.acceptableTimestamps ?? finding.acceptableTimestamps
        finding.acceptableVersions = parameters.acceptableVersions
        finding.expectedBaseString = ExpectedBaseString.find(in: text)
        return finding
    }

    /// Also of NetSuite's words for the same, which begin with capitals.
    static func cause(of problem: String) -> ProviderDiagnosis.Cause? {
        switch problem.lowercased().filter({ $0 != "_" }) {
        case "versionrejected": .versionRejected
        case "parameterabsent", "missingrequiredparameter": .parameterAbsent
        case "parameterrejected", "noncerejected": .parameterRejected
        case "timestamprefused", "invalidtimestamp": .timestampRefused
        case "nonceused": .nonceUsed
        case "signaturemethodrejected": .signatureMethodRejected
        case "signatureinvalid", "invalidsignature": .signatureInvalid
        case "consumerkeyunknown", "unknownintegration": .consumerKeyUnknown
        case "consumerkeyrejected", "consumerkeyrefused", "integrationblocked": .consumerKeyRefused
        case "tokenused", "tokenexpired", "tokenrevoked", "tokenrevoke", "tokenrejected": .tokenRefused
        case "verifierinvalid": .verifierRefused
        case "permissiondenied", "permissionunknown", "userrefused", "additionalauthorizationrequired":
            .permissionDenied
        default: nil
        }
    }
}
