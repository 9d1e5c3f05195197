import Bytes

/// One input line of `paraph explain --batch`, by the names of its keys.
struct BatchLine {
    enum Key: String, CaseIterable {
        case method
        case url
        case host
        case body
        case bodyBase64 = "body_base64"
        case contentType = "content_type"
        case consumerKey = "consumer_key"
        case consumerSecret = "consumer_secret"
        case token
        case tokenSecret = "token_secret"
        case nonce
        case timestamp
        case signatureMethod = "signature_method"
        case privateKey = "private_key"
        case realm
        case extra
        case includeVersion = "include_version"
        case bodyHash = "body_hash"
    }

    let method: String
    let url: String
    let host: String?
    let body: String?
    let bodyBase64: String?
    let contentType: String?
    let credentials: ExplainableCredentials
    let nonce: String?
    let timestamp: String?
    let signatureMethod: String?
    let realm: String?
    let extra: [String: String]
    let includeVersion: Bool?
    let bodyHash: Bool?

    /// Reads a line, the first of which may begin with a byte order mark.
    init(_ line: [UInt8]) throws(ExplainError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line
        guard case .object(let members)? = JSONValue(strict: text) else { throw .notJSON }
        let values = try BatchValues(members)
        method = try values.requiredText(.method)
        url = try values.requiredText(.url)
        host = try values.text(.host)
        body = try values.text(.body)
        bodyBase64 = try values.text(.bodyBase64)
        contentType = try values.text(.contentType)
        var credentials = ExplainableCredentials(
            consumerKey: try values.text(.consumerKey),
            consumerSecret: try values.secret(.consumerSecret),
            token: try values.text(.token),
            tokenSecret: try values.secret(.tokenSecret)
        )
        nonce = try values.text(.nonce)
        timestamp = try values.textOrNumber(.timestamp)
        signatureMethod = try values.text(.signatureMethod)
        credentials.privateKey = try values.secret(.privateKey)
        self.credentials = credentials
        realm = try values.text(.realm)
        extra = try values.texts(.extra)
        includeVersion = try values.boolean(.includeVersion)
        bodyHash = try values.boolean(.bodyHash)
    }

    /// The body in bytes.
    var bytes: [UInt8]? {
        get throws(ExplainError) {
            guard let bodyBase64 else { return body.map { Array($0.utf8) } }
            if body != nil { throw .twoBodies }
            guard let bytes = Base64.decode(bodyBase64.utf8Span.span, allowsSpareBits: true) else {
                throw .valueOfOtherType(key: Key.bodyBase64.rawValue, expected: "Base64")
            }
            return bytes
        }
    }

    func signature() throws(ExplainError) -> SignatureMethod {
        guard let signatureMethod else { return .hmacSHA1 }
        guard let method = SignatureMethod(rawValue: signatureMethod) else {
            let known = SignatureMethod.allCases.map(\.rawValue).joined(separator: ", ")
            throw .valueOfOtherType(key: Key.signatureMethod.rawValue, expected: "one of \(known)")
        }
        return method
    }
}

/// The values of a line all of whose keys mean something: a mistyped one would be missing from what is signed.
private struct BatchValues {
    private let values: [BatchLine.Key: JSONValue]

    init(_ members: [JSONValue.Member]) throws(ExplainError) {
        let unknown = members.map(\.name).filter { BatchLine.Key(rawValue: $0) == nil }
        if let first = unknown.min() {
            let letters = Self.letters(first)
            let meant = BatchLine.Key.allCases.first { Self.letters($0.rawValue) == letters }
            throw .keyUnknown(first, meant: meant?.rawValue)
        }
        var values: [BatchLine.Key: JSONValue] = [:]
        for member in members {
            guard let key = BatchLine.Key(rawValue: member.name) else { continue }
            // Which of them counts would depend on the reader.
            guard values.updateValue(member.value, forKey: key) == nil else { throw .keyRepeated(key.rawValue) }
        }
        self.values = values
    }

    /// Returns what is left of a key when case and the ways to part words are no matter: `consumerKey` is
    /// `consumer_key`.
    private static func letters(_ key: String) -> String {
        key.lowercased().filter(\.isLetter)
    }

    func requiredText(_ key: BatchLine.Key) throws(ExplainError) -> String {
        guard let value = try text(key) else { throw .keyMissing(key.rawValue) }
        return value
    }

    func text(_ key: BatchLine.Key) throws(ExplainError) -> String? {
        switch values[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw .valueOfOtherType(key: key.rawValue, expected: "a text")
        }
    }

    func secret(_ key: BatchLine.Key) throws(ExplainError) -> Secret? {
        try text(key).map { Secret($0) }
    }

    /// Returns a text, or a whole number as one.
    func textOrNumber(_ key: BatchLine.Key) throws(ExplainError) -> String? {
        guard case .number(let digits)? = values[key] else { return try text(key) }
        guard let number = UInt64(digits) ?? Double(digits).flatMap({ UInt64(exactly: $0) }) else {
            throw .valueOfOtherType(key: key.rawValue, expected: "a text")
        }
        return String(number)
    }

    func boolean(_ key: BatchLine.Key) throws(ExplainError) -> Bool? {
        switch values[key] {
        case nil, .null?: return nil
        case .boolean(let value)?: return value
        default: throw .valueOfOtherType(key: key.rawValue, expected: "true or false")
        }
    }

    /// Returns an object's texts by their names.
    func texts(_ key: BatchLine.Key) throws(ExplainError) -> [String: String] {
        let members: [JSONValue.Member]
        switch values[key] {
        case nil, .null?: return [:]
        case .object(let found)?: members = found
        default: throw .valueOfOtherType(key: key.rawValue, expected: "an object")
        }
        var texts: [String: String] = [:]
        for member in members {
            let name = "\(key.rawValue).\(member.name)"
            guard case .string(let text) = member.value else {
                throw .valueOfOtherType(key: name, expected: "a text")
            }
            guard texts.updateValue(text, forKey: member.name) == nil else { throw .keyRepeated(name) }
        }
        return texts
    }
}

/// The answer of `paraph explain --batch` to one line.
package enum BatchAnswer {
    /// - Parameter line: The line without its line end.
    /// - Returns: One JSON object without a line end: what was signed, or why nothing was.
    package static func answer(to line: [UInt8]) -> String {
        let answer: JSONText
        do throws(ExplainError) {
            let explanation = try ExplainableRequest(line: line).explain()
            answer = .object([
                ("normalized_parameters", .string(explanation.normalizedParameters)),
                ("base_string", .string(explanation.baseString)),
                ("signature", .string(explanation.signature)),
                ("authorization", .string(explanation.authorization)),
            ])
        } catch {
            answer = .object([("error", .string(error.description))])
        }
        return answer.line
    }
}
