import Bytes

/// X, formerly Twitter: numbers in JSON and XML, and the problem types of version 2. Its plain texts are among
/// ``Phrase``s.
enum XErrors {
    static func read(_ answer: RefusedAnswer) -> ProviderFinding? {
        if let errors = answer.json?["errors"] {
            for error in errors.elements {
                guard let code = error["code"]?.number, let message = error["message"]?.text else { continue }
                if let finding = finding(code: code, message: message, of: answer) { return finding }
            }
        }
        if let type = answer.json?["type"]?.text { return finding(type: type, of: answer) }
        return answer.isMarkup ? inMarkup(answer) : nil
    }

    /// Other APIs use the same numbers for other things, but not with these words.
    private static func finding(code: Int, message: String, of answer: RefusedAnswer) -> ProviderFinding? {
        guard let (cause, words) = codes[code] else { return nil }
        let lowered = ByteSearch.lowercased(message.utf8)
        guard answer.endpoint == .token || words.contains(where: { ByteSearch.index(of: $0.utf8, in: lowered) != nil })
        else { return nil }
        let rejected = cause == .parameterRejected ? ["oauth_callback"] : []
        return ProviderFinding(cause: cause, dialect: .x, words: message, rejectedParameters: rejected)
    }

    private static let codes: [Int: (ProviderDiagnosis.Cause, words: [String])] = [
        32: (.signatureInvalid, ["could not authenticate you"]),
        64: (.accountLocked, ["account is suspended"]),
        87: (.permissionDenied, ["client is not permitted"]),
        88: (.limited, ["rate limit exceeded"]),
        89: (.tokenRefused, ["invalid or expired token", "invalid signature or token"]),
        93: (.permissionDenied, ["is not allowed to access"]),
        99: (.signatureInvalid, ["unable to verify your credentials"]),
        135: (.timestampRefused, ["timestamp out of bounds", "could not authenticate you"]),
        215: (.credentialsMissing, ["bad authentication data"]),
        220: (.permissionDenied, ["credentials do not allow"]),
        261: (.permissionDenied, ["cannot perform write actions"]),
        326: (.accountLocked, ["temporarily locked"]),
        415: (.parameterRejected, ["callback url not approved"]),
        416: (.consumerKeyRefused, ["suspended application"]),
        417: (.parameterRejected, ["oauth_callback value"]),
        453: (.consumerKeyRefused, ["you currently have access to a subset of"]),
    ]

    private static func finding(type: String, of answer: RefusedAnswer) -> ProviderFinding? {
        let parts = type.split(separator: "/")
        guard parts.count == 5, ["api.twitter.com", "api.x.com"].contains(parts[1]), parts[3] == "problems",
            let cause = types[String(parts[4])]
        else { return nil }
        return ProviderFinding(cause: cause, dialect: .x, words: answer.messages.first ?? "")
    }

    private static let types: [String: ProviderDiagnosis.Cause] = [
        "unsupported-authentication": .authenticationUnsupported,
        "oauth1-permissions": .permissionDenied,
        "client-forbidden": .consumerKeyRefused,
        "usage-capped": .limited,
    ]

    /// `<error code="87">…</error>`.
    private static func inMarkup(_ answer: RefusedAnswer) -> ProviderFinding? {
        let lowered = ByteSearch.lowercased(answer.text)
        var start = 0
        while let found = ByteSearch.index(of: "<error code=\"".utf8, in: lowered, from: start) {
            start = found + 13
            let digits = lowered[start...].prefix(while: \.isDigit)
            let rest = answer.text[digits.endIndex...].drop { $0 != UInt8(ascii: ">") }.dropFirst()
            let message = String(decoding: rest.prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
            if let code = Int(String(decoding: digits, as: UTF8.self)),
                let finding = finding(code: code, message: message, of: answer)
            {
                return finding
            }
        }
        return nil
    }
}
