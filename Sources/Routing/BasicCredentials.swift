/// The user-id and password of the Basic scheme (RFC 7617).
struct BasicCredentials {
    /// What a Proxy-Authorization field says.
    enum Field {
        /// Another scheme, which says nothing to this proxy.
        case otherScheme
        case malformed
        case basic(BasicCredentials)
    }

    let user: String
    let password: [UInt8]

    static func read(_ field: Span<UInt8>) -> Field {
        guard field.hasPrefixIgnoringCase("basic"), field.count > 5 else {
            return field.equalsIgnoringCase("basic") ? .malformed : .otherScheme
        }
        guard field[5] == UInt8(ascii: " ") else { return .otherScheme }
        var start = 5
        while start < field.count, field[start] == UInt8(ascii: " ") { start += 1 }
        guard let bytes = decodeBase64(field.extracting(start..<field.count)),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            let user = String(validating: bytes[..<colon], as: UTF8.self)
        else { return .malformed }
        return .basic(BasicCredentials(user: user, password: Array(bytes[(colon + 1)...])))
    }

    /// RFC 4648, section 4, with its padding.
    private static func decodeBase64(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count > 0, text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < 2, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        for index in 0..<(text.count - padding) {
            guard let value = base64Value(text[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 == 3 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        switch padding {
        case 1:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        case 2:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        default:
            break
        }
        return bytes
    }

    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
