/// An item of a structured field (RFC 9651, section 4.2.3): a token with parameters that are tokens, strings or
/// integers.
struct StructuredItem {
    enum Value: Equatable {
        case token(String)
        case string(String)
        case integer(Int)
    }

    struct Malformed: Error {}

    var token = ""
    var parameters: [String: Value] = [:]
    private var rest: Substring

    init(_ text: String) throws {
        rest = text[...]
        token = try readToken()
        while !rest.isEmpty {
            guard rest.removeFirst() == ";" else { throw Malformed() }
            rest = rest.drop { $0 == " " }
            let key = try readKey()
            guard !rest.isEmpty, rest.removeFirst() == "=" else { throw Malformed() }
            parameters[key] = try readValue()
        }
    }

    private mutating func readKey() throws -> String {
        let key = rest.prefix { "a"..."z" ~= $0 || "0"..."9" ~= $0 || "_-.*".contains($0) }
        guard let first = key.first, "a"..."z" ~= first || first == "*" else { throw Malformed() }
        rest = rest[key.endIndex...]
        return String(key)
    }

    private mutating func readValue() throws -> Value {
        if rest.first == "\"" { return .string(try readString()) }
        let digits = rest.prefix { "0"..."9" ~= $0 }
        guard !digits.isEmpty else { return .token(try readToken()) }
        rest = rest[digits.endIndex...]
        guard digits.count <= 15, let number = Int(digits) else { throw Malformed() }
        return .integer(number)
    }

    private mutating func readToken() throws -> String {
        let token = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~:/".contains($0)) }
        guard let first = token.first, first.isLetter || first == "*" else { throw Malformed() }
        rest = rest[token.endIndex...]
        return String(token)
    }

    private mutating func readString() throws -> String {
        rest.removeFirst()
        var out = ""
        while let next = rest.popFirst() {
            switch next {
            case "\"": return out
            case "\\":
                guard let escaped = rest.popFirst(), escaped == "\"" || escaped == "\\" else { throw Malformed() }
                out.append(escaped)
            case " "..."~": out.append(next)
            default: throw Malformed()
            }
        }
        throw Malformed()
    }
}
