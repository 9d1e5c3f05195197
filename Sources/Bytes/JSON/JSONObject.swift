/// The outermost object of a JSON text (RFC 8259), for whoever wants a member or two of it byte for byte: numbers stay
/// the digits that were written, since an id of 64 bits does not survive as a floating-point number.
package struct JSONObject: Sendable {
    package enum Value: Sendable, Equatable {
        case text(String)
        /// A number, as written.
        case number(String)
        case null
        /// An object, an array, a Boolean, or a text that is not Unicode (half a surrogate pair).
        case other
        /// The name occurs more than once, so that it depends on the reader which value counts.
        case repeated
    }

    /// The members in their order; a name may occur more than once.
    package let members: [(name: String, value: Value)]

    /// Nil unless the bytes are one well-formed JSON text whose value is an object, nested no deeper than 64 levels.
    package init?(_ bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = JSONReader(bytes)
        guard let members = reader.readWholeObject() else { return nil }
        self.members = members
    }

    /// Returns the position of the byte at which bytes cease to be such a text; nil when they are one.
    package static func position(ofFaultIn bytes: [UInt8]) -> Int? {
        var reader = JSONReader(bytes)
        return reader.readWholeObject() == nil ? reader.position : nil
    }

    /// Nil when there is no such member. Names are equal when their bytes are.
    package subscript(_ name: String) -> Value? {
        let found = members.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return found.count > 1 ? .repeated : found.first?.value
    }
}

/// Reads JSON (RFC 8259) from bytes that are known to be UTF-8.
struct JSONReader {
    private static let deepest = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// The position of the first byte that is not read.
    var position: Int { index }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The members of the object that the whole text is; nil when it is no JSON, or another value.
    mutating func readWholeObject() -> [(name: String, value: JSONObject.Value)]? {
        var members: [(name: String, value: JSONObject.Value)] = []
        skipBlanks()
        guard readObject({ members.append((name: $0, value: $1)) }) else { return nil }
        skipBlanks()
        return index == bytes.count ? members : nil
    }

    // MARK: Values

    private mutating func readValue() -> JSONObject.Value? {
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return readObject { _, _ in } ? .other : nil
        case UInt8(ascii: "["): return readArray() ? .other : nil
        case UInt8(ascii: "\""): return readText().map { $0.map(JSONObject.Value.text) ?? .other }
        case UInt8(ascii: "t"): return read("true") ? .other : nil
        case UInt8(ascii: "f"): return read("false") ? .other : nil
        case UInt8(ascii: "n"): return read("null") ? .null : nil
        default: return readNumber().map(JSONObject.Value.number)
        }
    }

    /// - Parameter member: Told each member; one whose name is not Unicode can be nobody's, and is left out.
    private mutating func readObject(_ member: (String, JSONObject.Value) -> Void) -> Bool {
        guard enter("{") else { return false }
        if leave("}") { return true }
        repeat {
            skipBlanks()
            guard let name = readText() else { return false }
            skipBlanks()
            guard take(":"), let value = readValue() else { return false }
            if let name { member(name, value) }
            skipBlanks()
        } while take(",")
        return leave("}")
    }

    private mutating func readArray() -> Bool {
        guard enter("[") else { return false }
        if leave("]") { return true }
        repeat {
            guard readValue() != nil else { return false }
            skipBlanks()
        } while take(",")
        return leave("]")
    }

    private mutating func enter(_ bracket: Unicode.Scalar) -> Bool {
        guard depth < Self.deepest, take(bracket) else { return false }
        depth += 1
        skipBlanks()
        return true
    }

    private mutating func leave(_ bracket: Unicode.Scalar) -> Bool {
        guard take(bracket) else { return false }
        depth -= 1
        return true
    }

    private mutating func readNumber() -> String? {
        let start = index
        _ = take("-")
        if !take("0") {
            guard skipDigits() else { return nil }
        }
        if take(".") {
            guard skipDigits() else { return nil }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard skipDigits() else { return nil }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    // MARK: Texts

    /// Nil: not a string. The inner nil: one that is not Unicode.
    private mutating func readText() -> String?? {
        guard take("\"") else { return nil }
        var units: [UInt8] = []
        var isUnicode = true
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""):
                return .some(isUnicode ? String(decoding: units, as: UTF8.self) : nil)
            case UInt8(ascii: "\\"):
                guard let escaped = readEscape() else { return nil }
                if let escaped { units += String(Character(escaped)).utf8 } else { isUnicode = false }
            case 0x20...:
                units.append(byte)
            default:
                return nil
            }
        }
        return nil
    }

    /// Reads what follows the backslash. Nil: no escape. The inner nil: half a surrogate pair.
    private mutating func readEscape() -> Unicode.Scalar?? {
        switch next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let unit = readHexadecimal() else { return nil }
        guard 0xD800...0xDBFF ~= unit, bytes[index...].starts(with: "\\u".utf8) else {
            return .some(Unicode.Scalar(unit))
        }
        let afterFirst = index
        index += 2
        guard let second = readHexadecimal() else { return nil }
        guard 0xDC00...0xDFFF ~= second else {
            index = afterFirst
            return .some(nil)
        }
        return .some(Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)))
    }

    private mutating func readHexadecimal() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<(index + 4)] {
            guard let digit = byte.hexadecimalValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        index += 1
        return byte
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func read(_ literal: String) -> Bool {
        guard bytes[index...].starts(with: literal.utf8) else { return false }
        index += literal.utf8.count
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while let byte = peek, 0x30...0x39 ~= byte { index += 1 }
        return index > start
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }
}
