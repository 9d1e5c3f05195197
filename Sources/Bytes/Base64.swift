/// Base64 (RFC 4648, section 4), with padding and on one line.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        encode(bytes, to: &encoded)
        return encoded
    }

    /// Appends the text of `bytes` to `encoded`.
    package static func encode(_ bytes: Span<UInt8>, to encoded: inout [UInt8]) {
        let alphabet = alphabet.span
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

    /// Returns nil for what ``encode(_:)`` does not write, so that bytes have one text: without the padding, with
    /// other characters, or with bits of the last one that belong to no byte (RFC 4648, section 3.5).
    ///
    /// - Parameter allowsSpareBits: Such bits are passed over instead, as most decoders do.
    package static func decode(_ text: Span<UInt8>, allowsSpareBits: Bool = false) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < min(2, text.count), text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for index in 0..<(text.count - padding) {
            guard let value = value(of: text[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return allowsSpareBits || bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
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
