import HTTP1Codec
import NIOCore

/// The authentication schemes whose user is that of the whole connection, though HTTP has each request stand for
/// itself: NTLM and Negotiate (RFC 4559, section 6), with the variants of their names.
enum ConnectionAuthentication {
    /// Returns whether a request has the credentials of such a scheme.
    static func isUsed(by request: RequestHead) -> Bool { isNamed(in: request.fields, .authorization) }

    /// Returns whether a response asks for such credentials, or goes on with a handshake.
    static func isUsed(by response: ResponseHead) -> Bool { isNamed(in: response.fields, .wwwAuthenticate) }

    private static func isNamed(in fields: FieldSection, _ field: KnownField) -> Bool {
        guard fields.contains(field) else { return false }
        return fields.values(of: field).contains { isNamed(in: $0.readableBytesUInt8Span) }
    }

    /// A comma may stand within a parameter as well: what looks like a scheme behind it costs a shared connection at
    /// most.
    static func isNamed(in value: Span<UInt8>) -> Bool {
        var start = 0
        while start < value.count {
            while start < value.count, value[start] == 0x20 || value[start] == 0x09 { start += 1 }
            if begins(value, at: start, with: "ntlm") || begins(value, at: start, with: "nego") { return true }
            while start < value.count, value[start] != 0x2C { start += 1 }
            start += 1
        }
        return false
    }

    private static func begins(_ value: Span<UInt8>, at start: Int, with name: StaticString) -> Bool {
        guard start + name.utf8CodeUnitCount <= value.count else { return false }
        return name.withUTF8Buffer { letters in
            letters.indices.allSatisfy { value[start + $0] | 0x20 == letters[$0] }
        }
    }
}
