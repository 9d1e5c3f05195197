/// Characters that word processors, chats and web pages put in the place of those of ASCII.
enum ForeignCharacter {
    private static let openingQuotes: Set<Unicode.Scalar> = ["“", "„", "‟", "”", "«", "‘", "‚", "’", "‹"]
    private static let closingQuotes: Set<Unicode.Scalar> = ["”", "“", "»", "’", "‘", "›"]

    /// Returns whether a text stands between quotation marks that are none to YAML.
    static func quotes(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard scalars.count > 1, let first = scalars.first, let last = scalars.last else { return false }
        return openingQuotes.contains(first) && closingQuotes.contains(last)
    }

    /// Returns whether a character looks like a blank, or like nothing, and is no blank of ASCII.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0, 0xAD, 0x1680, 0x2000...0x200F, 0x202F, 0x205F...0x2064, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// Returns a name for the first such character of a text.
    static func blank(in text: some StringProtocol) -> String? {
        text.unicodeScalars.first(where: isBlank).map(name)
    }

    /// Returns a name for a character that is no ASCII one and is taken for one by the eye.
    static func name(_ scalar: Unicode.Scalar) -> String {
        let code = String(scalar.value, radix: 16, uppercase: true)
        let number = "U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
        switch scalar.value {
        case 0xA0, 0x202F: return "a no-break space (\(number))"
        case _ where isBlank(scalar): return "an invisible character (\(number))"
        case _ where openingQuotes.contains(scalar) || closingQuotes.contains(scalar):
            return "a typographic quotation mark (\(number))"
        case 0x2010...0x2015, 0x2212: return "a dash that is no hyphen (\(number))"
        default: return "the character \(number)"
        }
    }
}
