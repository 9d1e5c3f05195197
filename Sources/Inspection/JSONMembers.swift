/// Reads the members of a JSON text that may be cut, or may be none: what looks like a member is taken for one.
enum JSONMembers {
    /// Calls `body` with each string and number, and with the name that it has; within the value of a name that may be
    /// a secret's, with that name.
    static func read(_ bytes: [UInt8], _ body: (_ name: String?, _ value: String) -> Void) {
        var index = 0
        var name: String?
        var depth = 0
        /// The name around, and the depth from which on it counts.
        var outer: (name: String, depth: Int)?
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let (text, end) = string(bytes, after: index)
                index = end
                while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
                if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
                    name = text
                    index += 1
                } else {
                    body(outer?.name ?? name, text)
                    name = nil
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if outer == nil, let own = name, SecretName.includes(own) { outer = (own, depth) }
                name = nil
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let around = outer, around.depth >= depth { outer = nil }
                depth -= 1
                name = nil
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let number = bytes[index...].prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains($0) }
                body(outer?.name ?? name, String(decoding: number, as: UTF8.self))
                name = nil
                index = number.endIndex
            default: index += 1
            }
        }
    }

    /// Returns a string, and the index behind it.
    private static func string(_ bytes: [UInt8], after quote: Int) -> (String, Int) {
        var index = quote + 1
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                text.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            switch bytes[index - 1] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "u"):
                let digits = bytes[index...].prefix(4)
                index = digits.endIndex
                let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
                let scalar = unit.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}"
                text += Array(String(scalar).utf8)
            case let other: text.append(other)
            }
        }
        return (String(decoding: text, as: UTF8.self), min(index + 1, bytes.count))
    }
}
