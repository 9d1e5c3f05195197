package import OAuthSigning

extension ProviderDiagnosis {
    /// Those that know a shape first, those that go by words after them.
    private static let readers: [@Sendable (RefusedAnswer) -> ProviderFinding?] = [
        MastercardErrors.read, WooCommerceErrors.read, FacebookErrors.read, FlickrErrors.read, XErrors.read,
        ProblemReporting.read, BearerErrors.read, NetSuiteErrors.read, MagentoErrors.read, WordsReader.read,
    ]

    /// Reads a final response to a request that was signed or carried a token.
    ///
    /// - Parameters:
    ///   - fields: Of the header section; WWW-Authenticate is read.
    ///   - body: Its beginning, without a Content-Encoding, in UTF-8 or UTF-16; no more than 64 KiB of it are read.
    ///   - unreadBody: Why there is no body although the response has one, such as `Content-Encoding: br`.
    ///   - secrets: What must not be in anything that the diagnosis repeats.
    /// - Returns: Nil when the response does not refuse authorization, such as a 400 or a 403 about anything else. A
    ///   401 always does, be it for an ``Cause/unknown`` cause.
    package static func read(
        status: Int,
        fields: [(String, String)],
        body: [UInt8],
        unreadBody: String? = nil,
        secrets: [Secret]
    ) -> ProviderDiagnosis? {
        let answer = RefusedAnswer(status: status, fields: fields, body: body, endpoint: .resource)
        var diagnosis = read(answer, secrets: secrets)
        diagnosis?.unreadBody = unreadBody.map { Scrubber(secrets: secrets).words(of: Array($0.utf8), limit: 60) }
        return diagnosis
    }

    static func read(_ answer: RefusedAnswer, secrets: [Secret]) -> ProviderDiagnosis? {
        var found: ProviderFinding?
        for read in readers {
            found = read(answer)
            if found != nil { break }
        }
        if found == nil, answer.status == 401 {
            let words = answer.isMarkup ? "" : answer.messages.first ?? ""
            found = ProviderFinding(cause: .unknown, dialect: .plain, words: words)
        }
        guard let found else { return nil }
        let scrubber = Scrubber(secrets: secrets)
        let baseString = found.expectedBaseString.flatMap { ExpectedBaseString.shows(secrets, in: $0) ? nil : $0 }
        return ProviderDiagnosis(
            cause: found.cause,
            dialect: found.dialect,
            words: scrubber.words(of: Array(found.words.utf8)),
            missingParameters: found.missingParameters.map { scrubber.words(of: Array($0.utf8)) },
            rejectedParameters: found.rejectedParameters.map { scrubber.words(of: Array($0.utf8)) },
            acceptableTimestamps: found.acceptableTimestamps,
            acceptableVersions: found.acceptableVersions.map { scrubber.words(of: Array($0.utf8)) },
            expectedBaseString: baseString,
            realm: answer.challenge("oauth")?.parameters["realm"]
                .map { scrubber.words(of: Array($0.utf8), limit: 100) }
        )
    }
}
