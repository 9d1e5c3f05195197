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

    /// Returns the text of a string with its escapes undone.
    static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count { appendCharacter(in: bytes, at: &index, to: &text) }
        return text
    }

    /// Returns a string, and the index behind it.
    private static func string(_ bytes: [UInt8], after quote: Int) -> (String, Int) {
        var index = quote + 1
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            appendCharacter(in: bytes, at: &index, to: &text)
        }
        return (String(decoding: text, as: UTF8.self), min(index + 1, bytes.count))
    }

    /// Appends what a byte, or an escape, stands for, and passes over it.
    private static func appendCharacter(in bytes: [UInt8], at index: inout Int, to text: inout [UInt8]) {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
            text.append(bytes[index])
            index += 1
            return
        }
        index += 2
        switch bytes[index - 1] {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "u"):
            var units = [codeUnit(bytes[index...])]
            index = min(index + 4, bytes.count)
            // The first half of a surrogate pair.
            if 0xD800..<0xDC00 ~= units[0], bytes[index...].starts(with: "\\u".utf8) {
                units.append(codeUnit(bytes[(index + 2)...]))
                index = min(index + 6, bytes.count)
            }
            text += Array(String(decoding: units, as: UTF16.self).utf8)
        case let other: text.append(other)
        }
    }

    private static func codeUnit(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        UInt16(String(decoding: bytes.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD
    }
}
