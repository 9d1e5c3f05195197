/// Text of somebody else's making, safe to put into one line of an answer or of YAML: control and format characters,
/// line separators, quotes and backslashes are escaped, and what is too long is cut.
package struct PrintableText: CustomStringConvertible {
    package let description: String

    /// - Parameter limit: the most characters to print, an ellipsis not counted.
    package init(_ text: String, limit: Int) {
        var printable = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let piece = Self.escape(scalar)
            count += piece.count
            guard count <= limit else {
                printable += "…"
                break
            }
            printable += piece
        }
        self.description = printable
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": return "\\" + String(scalar)
        case " "..."~": return String(scalar)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .dashPunctuation, .otherPunctuation, .currencySymbol, .mathSymbol:
            return String(scalar)
        default:
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
