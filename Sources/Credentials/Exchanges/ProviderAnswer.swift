import OAuthSigning

/// A provider's answer as to what it means. Providers say the same in plain text, JSON, XML, form-encoded or in
/// `WWW-Authenticate`, under whatever Content-Type, so it is read for what it contains.
struct ProviderAnswer {
    /// No answer of a token endpoint is larger.
    static let limit = 65_536

    let status: Int
    /// The words to show of it: the body, or else the `WWW-Authenticate` fields.
    let words: [UInt8]
    let isOversized: Bool
    private let fields: [(String, String)]

    init(_ response: ExchangeResponse) {
        status = response.status
        fields = response.fields
        isOversized = response.body.count > Self.limit
        let challenges = response.fields.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1)
        let isBlank = response.body.prefix(Self.limit).allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
        words = isBlank ? Array(challenges.joined(separator: ", ").utf8) : response.body
    }

    /// Returns what of it may be told, once it is scrubbed. What is no known error may be a token in a shape that is
    /// not known: nothing.
    func repeatable(_ cause: ExchangeFailure.Cause) -> [UInt8] {
        switch status {
        case _ where isOversized: []
        case 200...299 where cause == .unexpectedAnswer: []
        case 300...399: fields.first { $0.0.lowercased() == "location" }.map { Array("Location: \($0.1)".utf8) } ?? []
        default: words
        }
    }

    var isSuccess: Bool { 200...299 ~= status && !isOversized }

    /// Indicates whether it is what step 1 of reverse auth owes.
    var isSignedParameters: Bool { words.starts(with: "OAuth ".utf8) && words.count > 6 }

    /// The credentials that a step owes.
    /// - Parameter scrubber: The scrubber of what the provider was sent, for when the answer is something else.
    func issuedToken(_ step: ExchangeStep, _ scrubber: Scrubber) throws(ExchangeFailure) -> IssuedToken {
        guard isSuccess, let issued = IssuedToken(words) else {
            throw ExchangeFailure(step, self, scrubber: scrubber)
        }
        return issued
    }

    /// Returns why it is not what the step owes.
    func failureCause(in step: ExchangeStep) -> ExchangeFailure.Cause {
        if isOversized { return .oversizedAnswer }
        let text = String(decoding: words, as: UTF8.self).lowercased()
        if let known = Self.knownWords.first(where: { text.contains($0.words) }) { return known.cause }
        // An error of the server may quote anything; nobody is refused by it.
        if !(500...599 ~= status), let cause = diagnosedCause(in: step) { return cause }
        switch status {
        case 300...399: return .redirected
        case 401: return Self.causeOfUnexplainedRefusal(in: step)
        case 429: return .limited
        case 500...: return .providerFailed
        case 200...299: return Self.cause(ofUnasked: text)
        default: return .refused
        }
    }

    private func diagnosedCause(in step: ExchangeStep) -> ExchangeFailure.Cause? {
        let answer = RefusedAnswer(status: status, fields: fields, body: words, endpoint: .token)
        let isOAuth2 = step.kind == .oauth2
        let diagnosis = ProviderDiagnosis.read(answer, secrets: [])
        switch diagnosis?.cause {
        case .timestampRefused: return .clockRefused
        case .signatureInvalid, .signatureMethodRejected, .bodyHashWrong, .versionRejected, .realmWrong,
            .credentialsMissing:
            return .signatureRefused
        case .consumerKeyRefused where diagnosis?.dialect == .x: return .notPermitted
        case .consumerKeyUnknown, .consumerKeyRefused: return isOAuth2 ? .clientRefused : .signatureRefused
        case .tokenRefused: return step == .passwordGrant ? .loginRefused : .tokenRefused
        case .verifierRefused: return .verifierRefused
        case .permissionDenied, .authenticationUnsupported: return .notPermitted
        case .parameterRejected where diagnosis?.rejectedParameters == ["oauth_callback"]: return .parametersRefused
        case .accountLocked: return .loginRefused
        case .limited: return .limited
        case .nonceUsed, .parameterAbsent, .parameterRejected, .unknown, nil: return nil
        }
    }

    private static func causeOfUnexplainedRefusal(in step: ExchangeStep) -> ExchangeFailure.Cause {
        switch step {
        case .reverseAuth, .reverseAuthRequest, .reverseAuthAccess, .xAuth, .temporaryCredentials: .signatureRefused
        case .tokenCredentials: .verifierRefused
        case .passwordGrant, .refresh: .refused
        }
    }

    private static func cause(ofUnasked text: String) -> ExchangeFailure.Cause {
        let text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.isEmpty { return .emptyAnswer }
        return text.hasPrefix("<!doctype") || text.hasPrefix("<html") ? .pageAnswered : .unexpectedAnswer
    }

    /// The words that only token endpoints say.
    private static let knownWords: [(words: String, cause: ExchangeFailure.Cause)] = [
        ("reverse auth credentials are invalid", .parametersRefused),
        ("user name or password", .loginRefused),
        ("username or password", .loginRefused),
        ("email or password", .loginRefused),
        ("temporarily_unavailable", .providerFailed),
    ]
}

/// Token credentials or temporary credentials, as a provider issues them (RFC 5849, sections 2.1 and 2.3).
struct IssuedToken {
    let token: TokenCredentials
    /// `oauth_callback_confirmed` (RFC 5849, section 2.1).
    let confirmsCallback: Bool
    private let members: AnswerMembers

    /// Reads the body of an answer; nil unless there is exactly one token and one secret, neither of them empty.
    init?(_ body: [UInt8]) {
        let members = AnswerMembers(body)
        guard let token = members.text("oauth_token"), let secret = members.bytes("oauth_token_secret") else {
            return nil
        }
        self.members = members
        self.token = TokenCredentials(token: token, secret: Secret(bytes: secret))
        confirmsCallback = members.text("oauth_callback_confirmed")?.lowercased() == "true"
    }

    /// Returns the credential to be kept.
    /// - Parameter secrets: The secrets that the provider was sent; none may come back as an attribute.
    func credential(obtainedAt: UInt64, secrets: [Secret]) -> StoredCredential {
        StoredCredential(
            token: .oauth1(token),
            attributes: members.attributes(scrubber: Scrubber(secrets: secrets + token.secrets)),
            obtainedAt: obtainedAt
        )
    }
}
