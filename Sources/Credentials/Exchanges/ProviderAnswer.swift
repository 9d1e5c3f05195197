import OAuthSigning

/// A provider's answer as to what it means. Providers say the same in plain text, JSON, XML, form-encoded or in
/// `WWW-Authenticate`, under whatever Content-Type, so it is read for what it contains.
struct ProviderAnswer {
    /// No answer of a token endpoint is larger.
    static let limit = 65_536

    let status: Int
    /// What there is to show of it: the body, or else the `WWW-Authenticate` fields.
    let words: [UInt8]
    let isOversized: Bool

    init(_ response: ExchangeResponse) {
        status = response.status
        isOversized = response.body.count > Self.limit
        let challenges = response.fields.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1)
        let isBlank = response.body.prefix(Self.limit).allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
        words = isBlank ? Array(challenges.joined(separator: ", ").utf8) : response.body
    }

    var isSuccess: Bool { 200...299 ~= status && !isOversized }

    /// Whether it is what step 1 of reverse auth owes.
    var isSignedParameters: Bool { words.starts(with: "OAuth ".utf8) && words.count > 6 }

    /// The credentials that a step owes.
    /// - Parameter secrets: what the provider was sent, for when it is something else.
    func issuedToken(_ step: ExchangeStep, secrets: [Secret]) throws(ExchangeFailure) -> IssuedToken {
        guard isSuccess, let issued = IssuedToken(words) else {
            throw ExchangeFailure(step, self, scrubber: Scrubber(secrets: secrets))
        }
        return issued
    }

    /// Why it is not what the step owes.
    func failureCause(in step: ExchangeStep) -> ExchangeFailure.Cause {
        if isOversized { return .oversizedAnswer }
        let text = String(decoding: words, as: UTF8.self).lowercased()
        if let cause = Self.causeOfCode(in: text) { return cause }
        if let known = Self.knownWords.first(where: { text.contains($0.words) }) { return known.cause }
        if text.contains("invalid_grant") { return step == .refresh ? .tokenRefused : .loginRefused }
        switch status {
        case 300...399: return .redirected
        case 401: return Self.causeOfUnexplainedRefusal(in: step)
        case 429: return .limited
        case 500...: return .providerFailed
        case 200...299: return Self.cause(ofUnasked: text)
        default: return .refused
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

    private static let knownWords: [(words: String, cause: ExchangeFailure.Cause)] = [
        ("reverse auth credentials are invalid", .parametersRefused),
        ("failed to validate oauth signature", .signatureRefused),
        ("could not authenticate", .signatureRefused),
        ("signature_invalid", .signatureRefused),
        ("consumer_key_", .signatureRefused),
        ("timestamp_refused", .clockRefused),
        ("timestamp out of bounds", .clockRefused),
        ("token_rejected", .tokenRefused),
        ("token_expired", .tokenRefused),
        ("token_revoked", .tokenRefused),
        ("invalid or expired token", .tokenRefused),
        ("permission_denied", .notPermitted),
        ("not permitted", .notPermitted),
        ("rate limit", .limited),
        ("verifier", .verifierRefused),
        // RFC 6749, section 5.2.
        ("invalid_client", .clientRefused),
        ("unauthorized_client", .notPermitted),
        ("unsupported_grant_type", .notPermitted),
        ("invalid_scope", .parametersRefused),
        ("temporarily_unavailable", .providerFailed),
        ("user name or password", .loginRefused),
        ("username or password", .loginRefused),
        ("email or password", .loginRefused),
    ]

    private static func cause(ofCode code: Int) -> ExchangeFailure.Cause? {
        switch code {
        case 32, 215: .signatureRefused
        case 87: .notPermitted
        case 88: .limited
        case 89: .tokenRefused
        case 135: .clockRefused
        default: nil
        }
    }

    /// By the first known number that follows the word "code" with nothing but punctuation between: `"code":32` in JSON,
    /// `<error code="87">` in XML.
    private static func causeOfCode(in text: String) -> ExchangeFailure.Cause? {
        var rest = Array(text.utf8)[...]
        let word = Array("code".utf8)
        while let start = rest.firstIndex(of: word[0]) {
            rest = rest[start...]
            guard rest.starts(with: word) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(word.count)
            let punctuation = rest.prefix { [0x20, 0x22, 0x27, 0x3A, 0x3D].contains($0) }
            let digits = rest.dropFirst(punctuation.count).prefix { 0x30...0x39 ~= $0 }
            if !punctuation.isEmpty, let code = Int(String(decoding: digits, as: UTF8.self)),
                let cause = cause(ofCode: code)
            {
                return cause
            }
        }
        return nil
    }
}
