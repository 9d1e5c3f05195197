package import NIOCore

/// JSON string literals (RFC 8259, section 7), written straight into a buffer.
package enum JSONText {
    package static func write(_ text: some StringProtocol, into out: inout ByteBuffer) {
        write(octets: text.utf8, into: &out)
    }

    /// Writes octets that are, or are taken to be, UTF-8. Octets that are not UTF-8 become U+FFFD, so that the
    /// literal always decodes.
    package static func write(octets: some Sequence<UInt8>, into out: inout ByteBuffer) {
        out.writeInteger(UInt8(ascii: "\""))
        var highOctets: [UInt8] = []
        func flushHigh(_ out: inout ByteBuffer) {
            guard !highOctets.isEmpty else { return }
            for scalar in String(decoding: highOctets, as: UTF8.self).unicodeScalars {
                if scalar.actsOnText { escape(UInt16(scalar.value), into: &out) } else { out.writeString("\(scalar)") }
            }
            highOctets.removeAll(keepingCapacity: true)
        }
        for octet in octets {
            guard octet < 0x80 else {
                highOctets.append(octet)
                continue
            }
            flushHigh(&out)
            switch octet {
            case UInt8(ascii: "\""): out.writeStaticString("\\\"")
            case UInt8(ascii: "\\"): out.writeStaticString("\\\\")
            case UInt8(ascii: "\n"): out.writeStaticString("\\n")
            case UInt8(ascii: "\r"): out.writeStaticString("\\r")
            case UInt8(ascii: "\t"): out.writeStaticString("\\t")
            case 0x00..<0x20, 0x7F: escape(UInt16(octet), into: &out)
            default: out.writeInteger(octet)
            }
        }
        flushHigh(&out)
        out.writeInteger(UInt8(ascii: "\""))
    }

    private static func escape(_ unit: UInt16, into out: inout ByteBuffer) {
        let hex = "0123456789abcdef".utf8.map { $0 }
        out.writeStaticString("\\u")
        for shift in [12, 8, 4, 0] { out.writeInteger(hex[Int(unit >> shift) & 15]) }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal or an editor would not show it but obey it: control characters, ends of lines and directions
    /// of writing. All are in the first plane.
    fileprivate var actsOnText: Bool {
        switch value {
        case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// Whether it can stand for itself as the value of a field in a line of text.
    package var isPlainField: Bool {
        utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    }
}
