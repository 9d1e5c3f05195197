/// JSON whose members keep their order and whose numbers keep their spelling.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    /// - Returns: Nil for what is no JSON, or is nested too deep to be worth a look.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let value = reader.document() else { return nil }
        self = value
    }
}

extension JSONValue {
    /// The way in which some writer puts JSON down.
    struct Style: Sendable {
        var comma = ","
        var colon = ":"
        /// The blanks of one level of indentation; nil for one line.
        var indentation: String?
        var lineEnd = "\n"
        var escapesSlashes = false
        var escapesNonASCII = false
        var escapesMarkup = false
        var sortsMembers = false
        /// Indicates whether members that are null are left out.
        var dropsNull = false
    }

    func text(_ style: Style, depth: Int = 0) -> String {
        let isIndented = style.indentation != nil
        func list(_ open: String, _ close: String, _ elements: [String]) -> String {
            if elements.isEmpty { return open + close }
            guard let indentation = style.indentation else {
                return open + elements.joined(separator: style.comma) + close
            }
            let inner = style.lineEnd + String(repeating: indentation, count: depth + 1)
            let outer = style.lineEnd + String(repeating: indentation, count: depth)
            return open + inner + elements.joined(separator: "," + inner) + outer + close
        }
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return Self.literal(text, style)
        case .array(let elements): return list("[", "]", elements.map { $0.text(style, depth: depth + 1) })
        case .object(let members):
            let kept = members.filter { !style.dropsNull || $0.value != .null }
            let ordered = style.sortsMembers ? kept.sorted { $0.name < $1.name } : kept
            let colon = isIndented ? ": " : style.colon
            return list(
                "{",
                "}",
                ordered.map { Self.literal($0.name, style) + colon + $0.value.text(style, depth: depth + 1) }
            )
        }
    }

    private static func literal(_ text: String, _ style: Style) -> String {
        var literal = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: literal += "\\\""
            case 0x5C: literal += "\\\\"
            case 0x0A: literal += "\\n"
            case 0x0D: literal += "\\r"
            case 0x09: literal += "\\t"
            case 0x08: literal += "\\b"
            case 0x0C: literal += "\\f"
            case 0x2F where style.escapesSlashes: literal += "\\/"
            case 0x26 where style.escapesMarkup, 0x3C where style.escapesMarkup, 0x3E where style.escapesMarkup,
                0..<0x20:
                literal += escape(unit)
            case 0x80... where style.escapesNonASCII: literal += escape(unit)
            default: literal += String(decoding: [unit], as: UTF16.self)
            }
        }
        if style.escapesNonASCII || !text.unicodeScalars.contains(where: { $0.value > 0xFFFF }) {
            return literal + "\""
        }
        // Surrogates do not go one by one.
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// Reads JSON (RFC 8259).
private struct JSONReader {
    private static let deepest = 32
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return bytes.isEmpty ? value : nil
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipBlanks()
        guard depth < Self.deepest, let first = bytes.first else { return nil }
        switch first {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        default:
            let word = bytes.prefix { !" \t\r\n,]}".utf8.contains($0) }
            bytes = bytes.dropFirst(word.count)
            switch String(decoding: word, as: UTF8.self) {
            case "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case let number: return Double(number) == nil ? nil : .number(number)
            }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        bytes = bytes.dropFirst()
        var members: [JSONValue.Member] = []
        while true {
            if members.isEmpty, take("}") { return .object([]) }
            skipBlanks()
            guard bytes.first == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth + 1)
            else { return nil }
            members.append(JSONValue.Member(name: name, value: value))
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        bytes = bytes.dropFirst()
        var elements: [JSONValue] = []
        while true {
            if elements.isEmpty, take("]") { return .array([]) }
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        bytes = bytes.dropFirst()
        var units: [UInt16] = []
        var plain: [UInt8] = []
        func flushed() -> [UInt16] { Array(String(decoding: plain, as: UTF8.self).utf16) }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units + flushed(), as: UTF16.self)
            case UInt8(ascii: "\\"):
                units += flushed()
                plain = []
                guard let unit = escape() else { return nil }
                units.append(unit)
            default: plain.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard let byte = bytes.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "u"):
            let digits = bytes.prefix(4)
            bytes = bytes.dropFirst(4)
            return digits.count == 4 ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
        default: return UInt16(byte)
        }
    }

    private mutating func take(_ character: Character) -> Bool {
        skipBlanks()
        guard bytes.first == character.asciiValue else { return false }
        bytes = bytes.dropFirst()
        return true
    }

    private mutating func skipBlanks() {
        bytes = bytes.drop { " \t\r\n".utf8.contains($0) }
    }
}
