/// RFC 9110 §5.6.4.
enum QuotedString {
    /// `text` between quotes, with `"` and `\` escaped.
    /// - Returns: nil for text with a control character, which no quoted-string can carry.
    static func quote(_ text: String) -> [UInt8]? {
        var quoted = [UInt8(ascii: "\"")]
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), octet]
            case UInt8(ascii: "\t"), 0x20...0x7e, 0x80...: quoted.append(octet)
            default: return nil
            }
        }
        return quoted + [UInt8(ascii: "\"")]
    }
}
