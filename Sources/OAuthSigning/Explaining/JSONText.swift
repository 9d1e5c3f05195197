import Bytes

/// JSON that is written by hand, because the order of the keys and every byte of the texts is ours to keep.
package enum JSONText: Sendable {
    case string(String)
    case boolean(Bool)
    case integer(Int)
    case array([JSONText])
    /// In this order.
    case object([(key: String, value: JSONText)])

    /// On one line; what RFC 8259, section 7 demands is escaped, and what is not printable.
    package var line: String {
        switch self {
        case .string(let text): Self.quote(text)
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .array(let elements): "[" + elements.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quote($0.key) + ":" + $0.value.line }.joined(separator: ",") + "}"
        }
    }

    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.isPrintable: quoted.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return quoted + "\""
    }
}
