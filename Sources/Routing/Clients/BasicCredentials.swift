import Bytes

/// The user-id and password of the Basic scheme (RFC 7617).
struct BasicCredentials {
    /// The content of a Proxy-Authorization field.
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
            return field.spellsIgnoringCase("basic") ? .malformed : .otherScheme
        }
        guard field[5] == UInt8(ascii: " ") else { return .otherScheme }
        var start = 5
        while start < field.count, field[start] == UInt8(ascii: " ") { start += 1 }
        guard let bytes = Base64.decode(field.extracting(start..<field.count)),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            !bytes.contains(where: \.isControl),
            let user = String(validating: bytes[..<colon], as: UTF8.self)
        else { return .malformed }
        return .basic(BasicCredentials(user: user, password: Array(bytes[(colon + 1)...])))
    }
}
