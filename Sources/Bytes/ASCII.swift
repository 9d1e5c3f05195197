extension UInt8 {
    /// `A`…`Z` as `a`…`z`, anything else as it is.
    @inlinable
    package var lowercasedASCII: UInt8 {
        isUppercase ? self | 0x20 : self
    }

    /// `a`…`z` as `A`…`Z`, anything else as it is.
    @inlinable
    package var uppercasedASCII: UInt8 {
        isLowercase ? self & ~0x20 : self
    }

    /// Optional whitespace: SP or HTAB (RFC 9110, section 5.6.3).
    @inlinable
    package var isOptionalWhitespace: Bool { self == 0x20 || self == 0x09 }

    /// Indicates whether it is a control character: below SP, or DEL.
    @inlinable
    package var isControl: Bool { self < 0x20 || self == 0x7F }

    /// Indicates whether it is one of `0`…`9`.
    @inlinable
    package var isDigit: Bool { self &- 0x30 < 10 }

    /// Indicates whether it is one of `A`…`Z`.
    @inlinable
    package var isUppercase: Bool { self &- 0x41 < 26 }

    /// Indicates whether it is one of `a`…`z`.
    @inlinable
    package var isLowercase: Bool { self &- 0x61 < 26 }

    /// Indicates whether it is a letter, in either case.
    @inlinable
    package var isLetter: Bool { (self | 0x20).isLowercase }

    /// Indicates whether it is a letter or a digit.
    @inlinable
    package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// The value of a decimal digit; nil for anything else.
    @inlinable
    package var decimalValue: UInt8? { isDigit ? self &- 0x30 : nil }

    /// The value of a hexadecimal digit in either case; nil for anything else.
    @inlinable
    package var hexadecimalValue: UInt8? {
        if let decimalValue { return decimalValue }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

extension StringProtocol {
    /// Indicates whether a control character of ASCII is in the text, as each line break is.
    package var hasControl: Bool { utf8.contains(where: \.isControl) }
}

extension Span<UInt8> {
    /// Returns whether two spans are equal when the case of ASCII letters is ignored.
    @inlinable
    package func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            let own = self[index]
            let its = other[index]
            guard own == its || (own ^ its == 0x20 && own.isLetter) else { return false }
        }
        return true
    }

    /// Returns whether the bytes are exactly those of `text`.
    @inlinable
    package func spells(_ text: String) -> Bool {
        equals(text.utf8.span)
    }

    /// The same with letters of either case in `self`; those of `text` must be in lower case.
    @inlinable
    package func spellsIgnoringCase(_ text: String) -> Bool {
        count == text.utf8.count && hasPrefixIgnoringCase(text)
    }

    /// Returns whether the first bytes are those of `prefix`, with letters of either case in `self`; those of `prefix`
    /// must be in lower case.
    @inlinable
    package func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
        let prefix = prefix.utf8.span
        guard count >= prefix.count else { return false }
        for index in prefix.indices where self[index].lowercasedASCII != prefix[index] { return false }
        return true
    }
}
