/// RFC 4648 §4, with padding.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ octets: Span<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity((octets.count + 2) / 3 * 4)
        let alphabet = alphabet.span
        var position = 0
        while position < octets.count {
            let rest = octets.count - position
            var group = UInt32(octets[position]) << 16
            if rest > 1 { group |= UInt32(octets[position + 1]) << 8 }
            if rest > 2 { group |= UInt32(octets[position + 2]) }
            encoded.append(alphabet[Int(group >> 18)])
            encoded.append(alphabet[Int(group >> 12 & 63)])
            encoded.append(rest > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            encoded.append(rest > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
            position += 3
        }
        return encoded
    }
}
