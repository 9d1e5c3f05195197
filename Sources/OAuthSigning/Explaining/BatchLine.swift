import Bytes

/// One input line of `paraph explain --batch`, by the names of its keys.
struct BatchLine: Decodable {
    let method: String
    let url: String
    let host: String?
    let body: String?
    let bodyBase64: String?
    let contentType: String?
    let consumerKey: String?
    let consumerSecret: String?
    let token: String?
    let tokenSecret: String?
    let nonce: String?
    let timestamp: Timestamp?
    let signatureMethod: String?
    let privateKey: String?
    let realm: String?
    let extra: [String: String]?
    let includeVersion: Bool?
    let bodyHash: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
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

    /// A line all of whose keys mean something: a mistyped one would be missing from what is signed.
    struct Checked: Decodable {
        let line: BatchLine

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
            let known = CodingKeys.allCases.map(\.rawValue)
            if let unknown = keys.first(where: { !known.contains($0) }) {
                throw ExplainError.keyUnknown(unknown, meant: known.first { letters($0) == letters(unknown) })
            }
            line = try BatchLine(from: decoder)
        }
    }

    /// Returns what is left of a key when case and the ways to part words are no matter: `consumerKey` is
    /// `consumer_key`.
    private static func letters(_ key: String) -> String {
        key.lowercased().filter(\.isLetter)
    }

    /// Any key at all.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(intValue: Int) { nil }
        init(stringValue: String) { self.stringValue = stringValue }
    }

    /// A number or a text.
    struct Timestamp: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(UInt64.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    /// The body in bytes.
    var bytes: [UInt8]? {
        get throws(ExplainError) {
            guard let bodyBase64 else { return body.map { Array($0.utf8) } }
            if body != nil { throw .twoBodies }
            guard let bytes = Base64.decode(bodyBase64.utf8Span.span, allowsSpareBits: true) else {
                throw .valueOfOtherType(key: CodingKeys.bodyBase64.rawValue, expected: "Base64")
            }
            return bytes
        }
    }

    func signature() throws(ExplainError) -> SignatureMethod {
        guard let signatureMethod else { return .hmacSHA1 }
        guard let method = SignatureMethod(rawValue: signatureMethod) else {
            let known = SignatureMethod.allCases.map(\.rawValue).joined(separator: ", ")
            throw .valueOfOtherType(key: CodingKeys.signatureMethod.rawValue, expected: "one of \(known)")
        }
        return method
    }
}

/// The answer of `paraph explain --batch` to one line.
package enum BatchAnswer {
    /// - Parameter line: Without its line end.
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
