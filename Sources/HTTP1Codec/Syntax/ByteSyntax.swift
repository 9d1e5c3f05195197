extension UInt8 {
    /// The byte in lower case if it may stand in a token (RFC 9110, section 5.6.2), otherwise 0.
    var foldedToken: UInt8 {
        if self &- 0x61 < 26 || self == 0x2D { return self }
        if self &- 0x41 < 26 { return self | 0x20 }
        // Bit n stands for byte n: !#$%&'*+-.0-9 and, in the second word, ^_`|~.
        let others: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x5000_0001_C000_0000
        return self < 128 && others >> UInt64(self & 63) & 1 == 1 ? self : 0
    }

    var isToken: Bool { foldedToken != 0 }

    var isDigit: Bool { self &- 0x30 < 10 }

    /// Optional whitespace: SP or HTAB (RFC 9110, section 5.6.3).
    var isWhitespace: Bool { self == 0x20 || self == 0x09 }

    /// 0 to 15, or `nil` if the byte is no hexadecimal digit.
    var hexadecimalValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

extension Span<UInt8> {
    /// Indicates whether every byte may stand in a token.
    var isToken: Bool {
        for index in indices where !self[index].isToken { return false }
        return true
    }

    /// Returns whether the bytes are exactly those of `text`, which must be ASCII.
    package func spells(_ text: String) -> Bool {
        let text = text.utf8.span
        guard count == text.count else { return false }
        for index in indices where self[index] != text[index] { return false }
        return true
    }

    /// The same with letters of either case in `self`; `text` must be ASCII in lower case.
    package func spellsIgnoringCase(_ text: String) -> Bool {
        let text = text.utf8.span
        guard count == text.count else { return false }
        for index in indices {
            let own = self[index]
            guard (own &- 0x41 < 26 ? own | 0x20 : own) == text[index] else { return false }
        }
        return true
    }

    /// Returns whether two spans are equal when the case of ASCII letters is ignored.
    package func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            let own = self[index]
            let its = other[index]
            guard own == its || (own ^ its == 0x20 && (own | 0x20) &- 0x61 < 26) else { return false }
        }
        return true
    }
}
