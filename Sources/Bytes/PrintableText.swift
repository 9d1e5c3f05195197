/// Text of somebody else's making, safe to put into one line of a terminal, a log, an answer or YAML: what does not
/// show itself (``Swift/Unicode/Scalar/isPrintable``) is written as `\u{1b}`, and what is too long is cut.
package struct PrintableText: CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - limit: The most characters to print, an ellipsis not counted.
    ///   - escapesQuotes: Whether `"` and `\` get a backslash, so that the text can stand between quotes.
    ///   - escapesSpaces: Whether a space is escaped, so that the text is one word.
    package init(
        _ text: some StringProtocol,
        limit: Int = .max,
        escapesQuotes: Bool = true,
        escapesSpaces: Bool = false
    ) {
        var printable = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let piece = escapesSpaces && scalar == " " ? "\\u{20}" : Self.escape(scalar, escapesQuotes)
            count += piece.count
            guard count <= limit else {
                printable += "…"
                break
            }
            printable += piece
        }
        description = printable
    }

    private static func escape(_ scalar: Unicode.Scalar, _ escapesQuotes: Bool) -> String {
        switch scalar {
        case "\"" where escapesQuotes, "\\" where escapesQuotes: "\\" + String(scalar)
        case _ where scalar.isPrintable: String(scalar)
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}

extension Unicode.Scalar {
    /// Indicates whether a terminal or an editor shows it, and does nothing else. Not printable are control and format
    /// characters (which move, turn, hide or end what follows), ends of lines, every space but the common one, what is
    /// left out of sight, and what has no meaning or a private one.
    package var isPrintable: Bool {
        if isASCII { return 0x20..<0x7F ~= value }
        if properties.isDefaultIgnorableCodePoint { return false }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default: return true
        }
    }
}

/// Prose of somebody else's making, safe to print and to log: each run of white space becomes one space, other
/// characters that are not printable are left out, and what is longer than `limit` Unicode scalars is cut and marked.
package func condensed(_ text: some StringProtocol, limit: Int = .max) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    var owesSpace = false
    for scalar in text.unicodeScalars {
        if scalar.properties.isWhitespace {
            owesSpace = count > 0
            continue
        }
        guard scalar.isPrintable else { continue }
        guard count + (owesSpace ? 1 : 0) < limit else {
            while count > 0, count >= limit {
                result.removeLast()
                count -= 1
            }
            result.append("…")
            break
        }
        if owesSpace {
            result.append(" ")
            count += 1
            owesSpace = false
        }
        result.append(scalar)
        count += 1
    }
    return String(result)
}
