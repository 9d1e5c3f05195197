import Bytes

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

    /// Returns the cause, also of NetSuite's words for the same, which begin with capitals.
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

/// The parameters of OAuth Problem Reporting, wherever they stand.
struct ProblemParameters {
    private static let problem = "oauth_problem"
    private static let names = [
        problem, "oauth_problem_advice", "oauth_parameters_absent", "oauth_parameters_rejected",
        "oauth_acceptable_timestamps", "oauth_acceptable_versions",
    ]

    /// The values by their names, decoded.
    private let values: [String: String]

    /// Takes the values of an answer; nil when there is no problem among them, and no range of timestamps.
    private init?(_ values: [String: String]) {
        guard values[Self.problem] != nil || values["oauth_acceptable_timestamps"] != nil else { return nil }
        self.values = values
    }

    init?(_ challenge: Challenge) {
        self.init(challenge.parameters.mapValues { Self.decoded($0.utf8) })
    }

    init?(_ json: ErrorJSON) {
        var values: [String: String] = [:]
        for name in Self.names { values[name] = json[name]?.text }
        self.init(values)
    }

    /// Finds them in a form, and in any other text that has some (`… oauth_problem="token_expired", realm="…"`).
    init?(_ text: [UInt8]) {
        let lowered = ByteSearch.lowercased(text)
        var values: [String: String] = [:]
        for name in Self.names {
            values[name] = Self.value(of: Array(name.utf8), in: text, lowered: lowered)
        }
        self.init(values)
    }

    private static func value(of name: [UInt8], in text: [UInt8], lowered: [UInt8]) -> String? {
        var start = 0
        while let found = ByteSearch.index(of: name, in: lowered, from: start) {
            start = found + name.count
            let precedes = found == 0 ? 0x20 : lowered[found - 1]
            guard !(precedes.isLowercase || precedes == UInt8(ascii: "_")), start < text.count,
                text[start] == UInt8(ascii: "=")
            else { continue }
            let rest = text[(start + 1)...]
            let quote = UInt8(ascii: "\"")
            if rest.first == quote { return decoded(rest.dropFirst().prefix { $0 != quote }) }
            let ends: [UInt8] = [0x22, 0x26, 0x27, 0x2C, 0x3B, 0x3C]
            return decoded(rest.prefix { $0 > 0x20 && !ends.contains($0) })
        }
        return nil
    }

    /// Decodes a value as in a form; one that is not encoded stays as it is.
    private static func decoded(_ value: some Collection<UInt8>) -> String {
        String(decoding: PercentEncoding.decode(value, plusIsSpace: true) ?? Array(value), as: UTF8.self)
    }

    // MARK: Meanings

    var problem: String? { values[Self.problem] }
    var advice: String? { values["oauth_problem_advice"] }
    var acceptableVersions: String? { values["oauth_acceptable_versions"].map { condensed($0, limit: 20) } }
    var missing: [String] { list("oauth_parameters_absent") }
    var rejected: [String] { list("oauth_parameters_rejected") }

    /// Returns at most 16 names of at most 64 characters.
    private func list(_ name: String) -> [String] {
        let names = (values[name] ?? "").split { !($0.isLetter || $0.isNumber || "_.-[]".contains($0)) }
        return names.prefix(16).map { condensed($0, limit: 64) }
    }

    /// `a-b`, in seconds; some providers count milliseconds.
    var acceptableTimestamps: ClosedRange<UInt64>? {
        let ends = (values["oauth_acceptable_timestamps"] ?? "").split(separator: "-").map { UInt64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        let isMilliseconds = first > 100_000_000_000
        return isMilliseconds ? (first / 1_000)...(last / 1_000) : first...last
    }
}
