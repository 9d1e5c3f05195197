import Bytes
package import NIOCore

extension ByteBuffer {
    /// Writes the string literal of JSON for a text.
    package mutating func writeJSON(_ text: some StringProtocol) {
        writeJSON(bytes: text.utf8)
    }

    /// Writes the string literal of JSON for bytes that are, or are taken to be, UTF-8. Bytes that are not become U+FFFD,
    /// so that the literal always decodes.
    package mutating func writeJSON(bytes: some Sequence<UInt8>) {
        writeInteger(UInt8(ascii: "\""))
        // The pointers are used within the calls only.
        let written: Void? = bytes.withContiguousStorageIfAvailable { writeCharacters($0) }
        if written == nil { Array(bytes).withUnsafeBufferPointer { writeCharacters($0) } }
        writeInteger(UInt8(ascii: "\""))
    }

    private mutating func writeCharacters(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes[...]
        while let first = rest.first {
            let isPlain = Self.isPlain(first)
            let run = rest.prefix { Self.isPlain($0) == isPlain }
            if isPlain {
                writeBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[run.indices]))
            } else {
                for scalar in String(decoding: run, as: UTF8.self).unicodeScalars {
                    writeString(JSONString.escape(scalar) ?? String(scalar))
                }
            }
            rest = rest[run.endIndex...]
        }
    }

    /// Returns whether it is ASCII, and stands for itself in a literal.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension String {
    /// Indicates whether it can stand for itself as the value of a field in a line of text.
    package var isPlainField: Bool {
        utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    }
}
