import Bytes
package import NIOCore

extension ByteBuffer {
    /// Writes the string literal of JSON for a text.
    package mutating func writeJSON(_ text: some StringProtocol) {
        writeJSON(bytes: text.utf8)
    }

    /// Writes the string literal of JSON for bytes that are, or are taken to be, UTF-8. Bytes that are not become
    /// U+FFFD, so that the literal always decodes.
    package mutating func writeJSON(bytes: some Sequence<UInt8>) {
        let written: Void? = bytes.withContiguousStorageIfAvailable { writeLiteral($0.span) }
        if written == nil { writeLiteral(Array(bytes).span) }
    }

    private mutating func writeLiteral(_ text: Span<UInt8>) {
        JSONString.writeLiteral(text) { writeBytes($0.bytes) }
    }
}

extension String {
    /// Indicates whether it can stand for itself as the value of a field in a line of text.
    package var isPlainField: Bool {
        utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    }
}
