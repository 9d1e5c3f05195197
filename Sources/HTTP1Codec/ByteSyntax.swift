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
