/// JSON that is written by hand, because the order of the keys and every byte of the texts is ours to keep.
package enum JSONText: Sendable {
    case null
    case string(String)
    case boolean(Bool)
    case integer(Int)
    case array([JSONText])
    /// An object, whose members are written in this order.
    case object([(key: String, value: JSONText)])

    /// The JSON text on one line; what RFC 8259, section 7 demands is escaped, and what is not printable.
    package var line: String {
        switch self {
        case .null: "null"
        case .string(let text): JSONString.literal(text)
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .array(let elements): "[" + elements.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONString.literal($0.key) + ":" + $0.value.line }.joined(separator: ",") + "}"
        }
    }

    /// A text, or null.
    package static func string(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// A truth value, or null.
    package static func boolean(_ value: Bool?) -> JSONText { value.map { .boolean($0) } ?? .null }

    /// A number, or null.
    package static func integer(_ number: Int?) -> JSONText { number.map { .integer($0) } ?? .null }

    /// An array of texts.
    package static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }
}
