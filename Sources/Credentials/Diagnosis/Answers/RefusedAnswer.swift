import Bytes

/// A provider's answer, laid out for those who look for a refusal in it.
struct RefusedAnswer {
    /// The endpoint that the answer is from.
    enum Endpoint {
        /// Anything may be an error's reason there, so that only what is unmistakable is read as a refusal.
        case resource
        /// Every error is one of authorization there.
        case token
    }

    static let limit = 65_536
    private static let textLimit = 16_384
    private static let messageLimit = 12

    let status: Int
    let endpoint: Endpoint
    let challenges: [Challenge]
    /// The beginning of the body, from its first visible byte.
    let text: [UInt8]
    let json: ErrorJSON?
    /// The texts that the answer has for people: those of the JSON, or the body when it is none.
    let messages: [String]

    init(status: Int, fields: [(String, String)], body: [UInt8], endpoint: Endpoint) {
        self.status = status
        self.endpoint = endpoint
        challenges = Challenge.all(in: fields)
        let beginning = body.prefix(Self.limit)
        let body = (UTF16Text.utf8(beginning)?[...] ?? beginning)
            .drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        text = Array(body.prefix(Self.textLimit))
        let document = JSONBeginning(Array(body))
        json = document.map { ErrorJSON($0.value) }
        let texts = (json?.messages ?? [Self.element(of: text)].compactMap { $0 }).prefix(Self.messageLimit)
        // Where the end is missing, something may be told in what is not whole.
        let words = document?.isWhole == true ? "" : String(decoding: text, as: UTF8.self)
        messages = texts + [words].filter { !$0.isEmpty }
    }

    /// Indicates whether it refuses authorization whatever it says (RFC 9110, section 15.5.2).
    var isRefusal: Bool { status == 401 || endpoint == .token }

    var isMarkup: Bool { text.first == UInt8(ascii: "<") }

    /// The content of `<error>`, in XML.
    private static func element(of text: [UInt8]) -> String? {
        guard text.first == UInt8(ascii: "<"),
            let start = ByteSearch.index(of: "<error>".utf8, in: ByteSearch.lowercased(text))
        else { return nil }
        return String(decoding: text[(start + 7)...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self)
    }

    /// The scheme of a challenge for a name and a password, where none asks for OAuth or a token.
    var otherScheme: String? {
        if challenge("oauth") != nil || challenge("bearer") != nil { return nil }
        return ["basic", "digest"].first { challenge($0) != nil }
    }

    func challenge(_ scheme: String) -> Challenge? {
        challenges.first { $0.scheme == scheme }
    }
}
