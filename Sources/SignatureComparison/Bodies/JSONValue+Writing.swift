import Bytes

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
        for scalar in text.unicodeScalars {
            if let escaped = escape(scalar, style) {
                literal += escaped
            } else {
                literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns nil where the character stands for itself.
    private static func escape(_ scalar: Unicode.Scalar, _ style: Style) -> String? {
        switch scalar {
        case "\"", "\\", "\n", "\r", "\t": JSONString.escape(scalar)
        case "\u{8}": "\\b"
        case "\u{C}": "\\f"
        case _ where scalar.value < 0x20: JSONString.numericEscape(scalar)
        case "/": style.escapesSlashes ? "\\/" : nil
        case "&", "<", ">": style.escapesMarkup ? JSONString.numericEscape(scalar) : nil
        default: style.escapesNonASCII && !scalar.isASCII ? JSONString.numericEscape(scalar) : nil
        }
    }
}
