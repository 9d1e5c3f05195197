import Bytes

extension UInt8 {
    /// The byte in lower case if it may stand in a token (RFC 9110, section 5.6.2), otherwise 0.
    var foldedToken: UInt8 {
        if isLowercase || self == 0x2D { return self }
        if isUppercase { return self | 0x20 }
        // Bit n stands for byte n: !#$%&'*+-.0-9 and, in the second word, ^_`|~.
        let others: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x5000_0001_C000_0000
        return self < 128 && others >> UInt64(self & 63) & 1 == 1 ? self : 0
    }

    var isToken: Bool { foldedToken != 0 }
}

extension Span<UInt8> {
    /// Indicates whether every byte may stand in a token.
    var isToken: Bool {
        for index in indices where !self[index].isToken { return false }
        return true
    }
}
