/// Percent-encoding (RFC 5849, section 3.6): all but the unreserved characters of RFC 3986 is escaped, with upper-case
/// digits.
package enum PercentEncoding {
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        for byte in bytes {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, uppercase: true, to: &encoded)
            }
        }
        return encoded
    }

    /// Returns nil where a percent sign is not followed by two hexadecimal digits.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in forms.
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Returns nil where ``decode(_:plusIsSpace:)`` does, and when the bytes are not UTF-8.
    package static func decodeText(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        decode(bytes, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes each well-formed triplet to its byte; anything else stays as it is.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in forms.
    package static func decodeLeniently(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            decoded.append(bytes.percentDecoded(at: &position, plusIsSpace: plusIsSpace))
        }
        return decoded
    }

    /// RFC 3986, section 2.3.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: byte.isLetterOrDigit
        }
    }
}

extension Span<UInt8> {
    /// The byte that begins at `position`, which is moved past it. A `%` that two hexadecimal digits do not follow is
    /// itself.
    @inlinable
    @inline(__always)
    package func percentDecoded(at position: inout Int, plusIsSpace: Bool) -> UInt8 {
        let byte = self[position]
        position += 1
        if byte == 0x25, position + 1 < count,
            let high = self[position].hexadecimalValue, let low = self[position + 1].hexadecimalValue
        {
            position += 2
            return high << 4 | low
        }
        return plusIsSpace && byte == 0x2B ? 0x20 : byte
    }
}
