import Bytes

/// Reads the members of a JSON text that may be cut, or may be none: what looks like a member is taken for one.
enum JSONMembers {
    /// Calls `body` with each string, number and other word, and with the last name before it in the same brackets;
    /// within the value of a name that may be a secret's, with that name. Of a malformed value, such as `12:34`, it is
    /// called with the whole and with its parts.
    static func read(_ bytes: [UInt8], _ body: (_ name: String?, _ value: String) -> Void) {
        var scanner = JSONScanner(bytes)
        var name: String?
        var depth = 0
        /// The name around, and the depth from which on it counts.
        var outer: (name: String, depth: Int)?
        /// The end of the last value that begins with a word.
        var valueEnd = 0
        while let token = scanner.next() {
            switch token {
            case .string(let content, isClosed: _):
                let text = JSONString.decode(bytes[content]).text
                if scanner.takeColon() {
                    name = text
                } else {
                    body(outer?.name ?? name, text)
                }
            case .word(let range):
                let word = String(decoding: bytes[range], as: UTF8.self)
                if !literals.contains(word) { body(outer?.name ?? name, word) }
                // From one word of a value only, which keeps the work linear in the text.
                guard range.lowerBound >= valueEnd else { break }
                valueEnd = bytes[range.upperBound...].firstIndex(where: endsValue) ?? bytes.count
                if valueEnd > range.upperBound {
                    let value = bytes[range.lowerBound..<valueEnd]
                    body(outer?.name ?? name, String(decoding: value, as: UTF8.self))
                }
            case .objectStart, .arrayStart:
                depth += 1
                if outer == nil, let own = name, SecretName.includes(own) { outer = (own, depth) }
                name = nil
            case .objectEnd, .arrayEnd:
                if let around = outer, around.depth >= depth { outer = nil }
                depth -= 1
                name = nil
            case .colon, .comma:
                break
            }
        }
    }

    private static let literals: Set<String> = ["null", "true", "false"]

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: false
        }
    }
}
