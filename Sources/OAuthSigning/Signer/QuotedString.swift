/// RFC 9110, section 5.6.4.
enum QuotedString {
    /// `text` between quotes, with `"` and `\` escaped.
    /// - Returns: Nil for text with a control character, which no quoted-string can carry.
    static func quote(_ text: String) -> [UInt8]? {
        var quoted = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\t"), 0x20...0x7e, 0x80...: quoted.append(byte)
            default: return nil
            }
        }
        return quoted + [UInt8(ascii: "\"")]
    }
}
