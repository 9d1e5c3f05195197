import Bytes

/// Reads the members of a JSON text that may be cut, or may be none: what looks like a member is taken for one.
enum JSONMembers {
    /// Calls `body` with each string, number and other word, and with the last name before it in the same brackets; within
    /// the value of a name that may be a secret's, with that name.
    static func read(_ bytes: [UInt8], _ body: (_ name: String?, _ value: String) -> Void) {
        var scanner = JSONScanner(bytes)
        var name: String?
        var depth = 0
        /// The name around, and the depth from which on it counts.
        var outer: (name: String, depth: Int)?
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
}
