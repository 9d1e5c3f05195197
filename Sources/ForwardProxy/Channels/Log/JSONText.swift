import Bytes
package import NIOCore

/// JSON string literals (RFC 8259, section 7), written straight into a buffer. What is not printable is escaped: a
/// terminal or an editor would not show it but obey it.
package enum JSONText {
    package static func write(_ text: some StringProtocol, into out: inout ByteBuffer) {
        write(bytes: text.utf8, into: &out)
    }

    /// Writes bytes that are, or are taken to be, UTF-8. Bytes that are not UTF-8 become U+FFFD, so that the
    /// literal always decodes.
    package static func write(bytes: some Sequence<UInt8>, into out: inout ByteBuffer) {
        out.writeInteger(UInt8(ascii: "\""))
        // The pointers are used within the calls only.
        let written: Void? = bytes.withContiguousStorageIfAvailable { write($0, into: &out) }
        if written == nil { Array(bytes).withUnsafeBufferPointer { write($0, into: &out) } }
        out.writeInteger(UInt8(ascii: "\""))
    }

    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, into out: inout ByteBuffer) {
        var rest = bytes[...]
        while let first = rest.first {
            let isPlain = isPlain(first)
            let isASCII = first < 0x80
            let run = rest.prefix { isPlain ? self.isPlain($0) : !isASCII && $0 >= 0x80 }
            if isPlain {
                out.writeBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[run.indices]))
            } else if isASCII {
                escape(first, into: &out)
                rest = rest.dropFirst()
                continue
            } else {
                write(String(decoding: run, as: UTF8.self).unicodeScalars, into: &out)
            }
            rest = rest[run.endIndex...]
        }
    }

    /// Whether it stands for itself in a literal.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func write(_ scalars: String.UnicodeScalarView, into out: inout ByteBuffer) {
        for scalar in scalars {
            if scalar.isPrintable {
                out.writeString("\(scalar)")
            } else {
                for unit in String(scalar).utf16 { escape(unit, into: &out) }
            }
        }
    }

    private static func escape(_ byte: UInt8, into out: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""): out.writeStaticString("\\\"")
        case UInt8(ascii: "\\"): out.writeStaticString("\\\\")
        case UInt8(ascii: "\n"): out.writeStaticString("\\n")
        case UInt8(ascii: "\r"): out.writeStaticString("\\r")
        case UInt8(ascii: "\t"): out.writeStaticString("\\t")
        default: escape(UInt16(byte), into: &out)
        }
    }

    private static func escape(_ unit: UInt16, into out: inout ByteBuffer) {
        let hex = "0123456789abcdef".utf8.map { $0 }
        out.writeStaticString("\\u")
        for shift in [12, 8, 4, 0] { out.writeInteger(hex[Int(unit >> shift) & 15]) }
    }
}

extension String {
    /// Whether it can stand for itself as the value of a field in a line of text.
    package var isPlainField: Bool {
        utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    }
}
