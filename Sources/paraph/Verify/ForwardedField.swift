import Bytes

/// A value of the Forwarded field (RFC 7239, section 4): what the proxies on a request's way say of it, one after the
/// other.
struct ForwardedField: Equatable {
    /// The hosts that the proxies were asked for.
    private(set) var hosts: [String] = []
    /// The schemes that they were asked by, of those that are signed for.
    private(set) var schemes: [URIScheme] = []

    /// Reads the pairs of a name and a value, and passes over the rest.
    init(_ value: String) {
        for pair in Self.pairs(value) {
            switch pair.name.lowercased() {
            case "host": hosts.append(pair.value)
            case "proto":
                if let scheme = URIScheme(rawValue: pair.value.lowercased()) { schemes.append(scheme) }
            default: break
            }
        }
    }

    /// The pairs of all elements. A comma or a semicolon within quotation marks parts nothing.
    private static func pairs(_ text: String) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var (name, value) = ("", "")
        var (hasName, isQuoted, isEscaped) = (false, false, false)
        func end() {
            if hasName, !value.isEmpty { pairs.append((name, value)) }
            (name, value, hasName) = ("", "", false)
        }
        for character in text.unicodeScalars {
            if isEscaped {
                value.unicodeScalars.append(character)
                isEscaped = false
                continue
            }
            switch character {
            case "\\" where isQuoted: isEscaped = true
            case "\"" where hasName: isQuoted.toggle()
            case ",", ";":
                if isQuoted { value.unicodeScalars.append(character) } else { end() }
            case "=" where !hasName: hasName = true
            case " ", "\t":
                if isQuoted { value.unicodeScalars.append(character) }
            default:
                if hasName {
                    value.unicodeScalars.append(character)
                } else {
                    name.unicodeScalars.append(character)
                }
            }
        }
        end()
        return pairs
    }
}
