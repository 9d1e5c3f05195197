/// A challenge of WWW-Authenticate (RFC 9110, section 11.6.1), read for what it means: quotes may be missing.
struct Challenge: Equatable {
    private static let limit = 8_192

    /// The scheme in lower case.
    var scheme: String
    /// The parameters by their names in lower case, the first of each; without quotes.
    var parameters: [String: String]

    /// Returns all challenges of the fields, in order.
    static func all(in fields: [(String, String)]) -> [Challenge] {
        let values = fields.filter { $0.0.lowercased() == "www-authenticate" }.map(\.1)
        var parser = Parser(bytes: Array(values.joined(separator: ", ").utf8.prefix(limit)))
        return parser.challenges()
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        mutating func challenges() -> [Challenge] {
            var challenges: [Challenge] = []
            while index < bytes.count {
                skip { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
                let word = take {
                    $0 > 0x20 && ![UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "\"")].contains($0)
                }
                skip { $0 <= 0x20 }
                guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
                    if word.isEmpty { index += 1 } else { challenges.append(Challenge(scheme: word, parameters: [:])) }
                    continue
                }
                index += 1
                let value = value()
                guard !word.isEmpty else { continue }
                // Some leave the scheme out.
                if challenges.isEmpty { challenges.append(Challenge(scheme: "", parameters: [:])) }
                challenges[challenges.count - 1].parameters.merge([word: value]) { first, _ in first }
            }
            return challenges
        }

        /// Reads up to the closing quote, or to the comma.
        private mutating func value() -> String {
            skip { $0 <= 0x20 }
            var value: [UInt8] = []
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
                    value.append(bytes[index])
                    index += 1
                }
                while let last = value.last, last <= 0x20 { value.removeLast() }
                return String(decoding: value, as: UTF8.self)
            }
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
                value.append(bytes[index])
                index += 1
            }
            index += 1
            return String(decoding: value, as: UTF8.self)
        }

        private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
            let start = index
            skip(while: isTaken)
            return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        }

        private mutating func skip(while isSkipped: (UInt8) -> Bool) {
            while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
        }
    }
}
