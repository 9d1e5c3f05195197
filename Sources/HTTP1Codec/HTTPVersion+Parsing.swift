extension HTTPVersion {
    /// Reads `HTTP/1.1` or `HTTP/1.0`; the name is case-sensitive (RFC 9112, section 2.3).
    ///
    /// - Throws: `versionUnsupported` for any other two digits, `malformed` for anything else.
    init(_ octets: Span<UInt8>, orThrow malformed: MessageError) throws(MessageError) {
        guard octets.count == 8, octets.extracting(0..<5).spells("HTTP/"), octets[6] == 0x2E, octets[5].isDigit,
            octets[7].isDigit
        else { throw malformed }
        switch (octets[5], octets[7]) {
        case (0x31, 0x31): self = .http11
        case (0x31, 0x30): self = .http10
        default: throw .versionUnsupported
        }
    }
}
