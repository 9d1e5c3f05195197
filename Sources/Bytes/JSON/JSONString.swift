/// The escapes of characters in a string literal of JSON (RFC 8259, section 7). What is not printable is escaped too: a
/// terminal or an editor would not show it but obey it.
package enum JSONString {
    /// Returns nil where the character stands for itself.
    package static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isPrintable: nil
        default: numericEscape(scalar)
        }
    }

    /// Returns the escape of any character by its number, or, beyond U+FFFF, by those of its surrogate pair.
    package static func numericEscape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16
            .map { "\\u" + Hexadecimal.encode($0) }
            .joined()
    }

    /// A whole JSON text in which what is not printable is escaped; it can only be in string literals, but for line
    /// breaks, which stay.
    package static func escapingUnprintable(json: String) -> String {
        var text = ""
        for scalar in json.unicodeScalars {
            if scalar.isPrintable || scalar == "\n" {
                text.unicodeScalars.append(scalar)
            } else {
                text += escape(scalar) ?? ""
            }
        }
        return text
    }

    /// The literal of a text, with its quotation marks.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            if let escaped = escape(scalar) { literal += escaped } else { literal.unicodeScalars.append(scalar) }
        }
        return literal + "\""
    }
}
