import Bytes

/// The versions that are spoken; any other is refused with 505 (RFC 9110, section 15.6.6).
package enum HTTPVersion: Sendable, Equatable {
    case http10
    case http11
    /// A head that came by HTTP/2 and is kept in the form of HTTP/1.1.
    case http2
}

extension HTTPVersion {
    /// Reads `HTTP/1.1` or `HTTP/1.0`; the name is case-sensitive (RFC 9112, section 2.3).
    ///
    /// - Throws: `versionUnsupported` for any other two digits, `malformed` for anything else.
    init(_ bytes: Span<UInt8>, orThrow malformed: MessageError) throws(MessageError) {
        guard bytes.count == 8, bytes.extracting(0..<5).spells("HTTP/"), bytes[6] == 0x2E, bytes[5].isDigit,
            bytes[7].isDigit
        else { throw malformed }
        switch (bytes[5], bytes[7]) {
        case (0x31, 0x31): self = .http11
        case (0x31, 0x30): self = .http10
        default: throw .versionUnsupported
        }
    }
}
