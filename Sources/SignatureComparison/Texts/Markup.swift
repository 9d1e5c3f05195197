/// The escapes of HTML and XML, as signers put them in or take them out.
enum Markup {
    private static let entities = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]

    /// Escapes & < > and quotation marks; of the apostrophe see the other.
    static func escaped(_ text: String) -> String {
        entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    static func escaped(_ text: String, apostrophe: String) -> String {
        escaped(text).replacing("'", with: apostrophe)
    }

    /// Escapes what has a meaning outside of attributes.
    static func escapedText(_ text: String) -> String {
        entities.prefix(3).reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    static func unescaped(_ text: String) -> String {
        let rest = entities.reversed().reduce(text) { $0.replacing($1.1, with: $1.0) }
        return ["&#39;", "&#039;", "&apos;", "&#x27;"].reduce(rest) { $0.replacing($1, with: "'") }
    }

    /// Leaves out what stands between < and >.
    static func withoutTags(_ text: String) -> String {
        var (kept, isInTag) = ("", false)
        for character in text {
            switch character {
            case "<": isInTag = true
            case ">" where isInTag: isInTag = false
            case _ where isInTag: break
            default: kept.append(character)
            }
        }
        return kept
    }

    /// Writes what is not ASCII as numeric entities.
    static func numeric(_ text: String, isHexadecimal: Bool, exceptLatin1: Bool) -> String {
        text.unicodeScalars.map { scalar in
            if scalar.isASCII || exceptLatin1 && scalar.value < 256 { return String(scalar) }
            return isHexadecimal ? "&#x\(String(scalar.value, radix: 16, uppercase: true));" : "&#\(scalar.value);"
        }
        .joined()
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        let end = reversed().drop(while: \.isWhitespace)
        return String(String(end.reversed()).drop(while: \.isWhitespace))
    }
}
