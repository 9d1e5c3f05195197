/// The string literals of JSON (RFC 8259, section 7).
package enum JSONString {
    /// The characters that are escaped beside those for which RFC 8259 demands it.
    package struct Escapes: OptionSet, Sendable {
        package let rawValue: UInt8

        /// Code points that are not printable: a terminal or an editor would not show it but obey it.
        package static let unprintable = Escapes(rawValue: 1 << 0)
        package static let nonASCII = Escapes(rawValue: 1 << 1)
        package static let slashes = Escapes(rawValue: 1 << 2)
        /// The characters `&`, `<` and `>`.
        package static let markup = Escapes(rawValue: 1 << 3)

        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// Writes the literal of a text, with its quotation marks. Bytes that are not UTF-8 become U+FFFD, so that the
    /// literal always decodes.
    ///
    /// - Parameter append: Takes the pieces of the literal in their order. Characters of ASCII that stand for
    ///   themselves come in one piece as far as they reach.
    package static func writeLiteral(
        _ text: Span<UInt8>,
        escapes: Escapes = .unprintable,
        append: (Span<UInt8>) -> Void
    ) {
        let quotationMark: InlineArray<1, UInt8> = [UInt8(ascii: "\"")]
        append(quotationMark.span)
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, isPlain(text[index], escapes) { index += 1 }
            if index > start { append(text.extracting(start..<index)) }
            let special = index
            while index < text.count, !isPlain(text[index], escapes) { index += 1 }
            if index > special { writeEscaped(text.extracting(special..<index), escapes, append) }
        }
        append(quotationMark.span)
    }

    private static func writeEscaped(_ run: Span<UInt8>, _ escapes: Escapes, _ append: (Span<UInt8>) -> Void) {
        let characters = run.text ?? String(decoding: run.array, as: UTF8.self)
        for scalar in characters.unicodeScalars {
            let piece = escape(scalar, escapes) ?? String(scalar)
            append(piece.utf8.span)
        }
    }

    /// Returns whether it is ASCII, and stands for itself in a literal.
    private static func isPlain(_ byte: UInt8, _ escapes: Escapes) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
        case UInt8(ascii: "/"): !escapes.contains(.slashes)
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): !escapes.contains(.markup)
        default: 0x20..<0x7F ~= byte
        }
    }

    /// Returns the literal of a text, with its quotation marks.
    package static func literal(_ text: String, escapes: Escapes = .unprintable) -> String {
        var literal: [UInt8] = []
        literal.reserveCapacity(text.utf8.count + 2)
        writeLiteral(text.utf8.span, escapes: escapes) { piece in
            for index in piece.indices { literal.append(piece[index]) }
        }
        return String(decoding: literal, as: UTF8.self)
    }

    /// Returns nil where the character stands for itself.
    private static func escape(_ scalar: Unicode.Scalar, _ escapes: Escapes) -> String? {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\u{8}": return "\\b"
        case "\u{C}": return "\\f"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "/": return escapes.contains(.slashes) ? "\\/" : nil
        case "&", "<", ">": return escapes.contains(.markup) ? numericEscape(scalar) : nil
        default:
            let isEscaped =
                scalar.value < 0x20 || (escapes.contains(.nonASCII) && !scalar.isASCII)
                || (escapes.contains(.unprintable) && !scalar.isPrintable)
            return isEscaped ? numericEscape(scalar) : nil
        }
    }

    /// Returns the escape of any character by its number, or, beyond U+FFFF, by those of its surrogate pair.
    private static func numericEscape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16
            .map { "\\u" + Hexadecimal.encode($0) }
            .joined()
    }

    /// Returns a whole JSON text in which what is not printable is escaped; it can only be in string literals, but for
    /// line breaks, which stay.
    package static func escapingUnprintable(json: String) -> String {
        var text = ""
        for scalar in json.unicodeScalars {
            if scalar.isPrintable || scalar == "\n" {
                text.unicodeScalars.append(scalar)
            } else {
                text += escape(scalar, .unprintable) ?? ""
            }
        }
        return text
    }
}
