import Bytes

extension JSONValue {
    /// The way in which some writer puts JSON down.
    struct Style: Sendable {
        var comma = ","
        var colon = ":"
        /// The blanks of one level of indentation; nil for one line.
        var indentation: String?
        var lineEnd = "\n"
        var escapes: JSONString.Escapes = []
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
        case .string(let text): return JSONString.literal(text, escapes: style.escapes)
        case .array(let elements): return list("[", "]", elements.map { $0.text(style, depth: depth + 1) })
        case .object(let members):
            let kept = members.filter { !style.dropsNull || $0.value != .null }
            let ordered = style.sortsMembers ? kept.sorted { $0.name < $1.name } : kept
            let colon = isIndented ? ": " : style.colon
            let elements = ordered.map { member in
                JSONString.literal(member.name, escapes: style.escapes) + colon
                    + member.value.text(style, depth: depth + 1)
            }
            return list("{", "}", elements)
        }
    }
}
