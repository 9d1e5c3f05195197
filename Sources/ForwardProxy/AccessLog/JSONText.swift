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
            out.writeString(String(decoding: highOctets, as: UTF8.self))
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
            case 0x00..<0x20, 0x7F:
                let hex = "0123456789abcdef".utf8.map { $0 }
                out.writeStaticString("\\u00")
                out.writeInteger(hex[Int(octet >> 4)])
                out.writeInteger(hex[Int(octet & 15)])
            default: out.writeInteger(octet)
            }
        }
        flushHigh(&out)
        out.writeInteger(UInt8(ascii: "\""))
    }
}
