/// RFC 4648, section 4, with padding.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
        let alphabet = alphabet.span
        var position = 0
        while position < bytes.count {
            let rest = bytes.count - position
            var group = UInt32(bytes[position]) << 16
            if rest > 1 { group |= UInt32(bytes[position + 1]) << 8 }
            if rest > 2 { group |= UInt32(bytes[position + 2]) }
            encoded.append(alphabet[Int(group >> 18)])
            encoded.append(alphabet[Int(group >> 12 & 63)])
            encoded.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            encoded.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
            position += 3
        }
        return encoded
    }
}
