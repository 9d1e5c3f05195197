/// Base64 (RFC 4648), with padding and on one line.
package enum Base64 {
    package enum Alphabet {
        /// Section 4, with `+` and `/`.
        case standard
        /// Section 5, with `-` and `_`, safe in URLs and file names.
        case urlSafe
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((common + "+/").utf8)
    private static let urlSafe = Array((common + "-_").utf8)

    package static func encode(_ bytes: Span<UInt8>, alphabet: Alphabet = .standard) -> [UInt8] {
        var encoded: [UInt8] = []
        encode(bytes, alphabet: alphabet, to: &encoded)
        return encoded
    }

    /// Appends the text of `bytes` to `encoded`.
    package static func encode(_ bytes: Span<UInt8>, alphabet: Alphabet = .standard, to encoded: inout [UInt8]) {
        let digits = alphabet == .standard ? standard : urlSafe
        let alphabet = digits.span
        encoded.append(addingCapacity: (bytes.count + 2) / 3 * 4) { text in
            var position = 0
            while position < bytes.count {
                let rest = bytes.count - position
                var group = UInt32(bytes[position]) << 16
                if rest > 1 { group |= UInt32(bytes[position + 1]) << 8 }
                if rest > 2 { group |= UInt32(bytes[position + 2]) }
                text.append(alphabet[Int(group >> 18)])
                text.append(alphabet[Int(group >> 12 & 63)])
                text.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
                text.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
                position += 3
            }
        }
    }

    /// Returns nil for what is not written in the standard alphabet here, so that bytes have one text: without the
    /// padding, with other characters, or with bits of the last one that belong to no byte (RFC 4648, section 3.5).
    ///
    /// - Parameter allowsSpareBits: Whether such bits are passed over instead, as most decoders do.
    package static func decode(_ text: Span<UInt8>, allowsSpareBits: Bool = false) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < min(2, text.count), text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        let decoded = decode(digits: text.extracting(first: text.count - padding), value(of:))
        return decoded.flatMap { allowsSpareBits || !$0.hasSpareBits ? $0.bytes : nil }
    }

    /// Returns the bytes that a text stands for in either alphabet, with or without its padding; spare bits are passed
    /// over.
    package static func decodeAnyForm(_ text: Span<UInt8>) -> [UInt8]? {
        var count = text.count
        while count > 0, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        // One digit alone is less than a byte.
        let last = count % 4
        guard last != 1, text.count - count <= (4 - last) % 4 else { return nil }
        let decoded = decode(digits: text.extracting(first: count)) { digit in
            switch digit {
            case UInt8(ascii: "-"): 62
            case UInt8(ascii: "_"): 63
            default: value(of: digit)
            }
        }
        return decoded?.bytes
    }

    private static func decode(
        digits: Span<UInt8>,
        _ valueOf: (UInt8) -> UInt8?
    ) -> (bytes: [UInt8], hasSpareBits: Bool)? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for index in digits.indices {
            guard let value = valueOf(digits[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return (bytes, bits & (1 << UInt32(count) - 1) != 0)
    }

    /// Returns the text with its digits as an alphabet has them.
    package static func respell(_ text: [UInt8], in alphabet: Alphabet) -> [UInt8] {
        text.map { byte in
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"): UInt8(ascii: alphabet == .standard ? "+" : "-")
            case UInt8(ascii: "/"), UInt8(ascii: "_"): UInt8(ascii: alphabet == .standard ? "/" : "_")
            default: byte
            }
        }
    }

    /// Indicates whether a byte can occur in the text, as a part of the bytes or as padding.
    package static func isDigit(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "=") || value(of: byte) != nil }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
