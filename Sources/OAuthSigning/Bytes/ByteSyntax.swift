extension UInt8 {
    /// `A`…`Z` as `a`…`z`, anything else as it is.
    package var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }

    /// `a`…`z` as `A`…`Z`, anything else as it is.
    package var uppercasedASCII: UInt8 {
        self &- UInt8(ascii: "a") < 26 ? self & ~0x20 : self
    }

    /// RFC 9110, section 5.6.3.
    package var isOptionalWhitespace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }

    /// The value of a hexadecimal digit in either case.
    package var hexadecimalValue: UInt8? {
        let digit = self &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension Span<UInt8> {
    /// A copy of the bytes.
    package var array: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in indices { copy.append(self[index]) }
        return copy
    }

    /// Returns whether the bytes are those of `text`.
    func equals(_ text: some Collection<UInt8>) -> Bool {
        guard count == text.count else { return false }
        var position = 0
        for byte in text {
            guard self[position] == byte else { return false }
            position += 1
        }
        return true
    }

    func firstIndex(where matches: (UInt8) -> Bool) -> Int? {
        for index in indices where matches(self[index]) { return index }
        return nil
    }
}
