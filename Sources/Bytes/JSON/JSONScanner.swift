/// Splits bytes into the tokens of JSON. Any bytes have tokens: ``JSONReader`` tells whether they are a document, and
/// whoever looks into text that may be cut off or malformed takes them as they come.
package struct JSONScanner {
    /// A token (RFC 8259, section 2), told by its first byte alone.
    package enum Token: Equatable, Sendable {
        case objectStart
        case objectEnd
        case arrayStart
        case arrayEnd
        case colon
        case comma
        /// A string: the range of its content, without the quotation marks, which ``JSONString/decode(_:)`` reads. A
        /// string that is not closed reaches to the end of the bytes.
        case string(Range<Int>, isClosed: Bool)
        /// A number or one of the three literals, or bytes that are none of them: all up to the next blank, quotation
        /// mark, bracket, colon or comma.
        case word(Range<Int>)
    }

    package let bytes: [UInt8]
    /// The position of the last token that ``next()`` returned.
    package private(set) var tokenPosition = 0
    /// The position of the first byte that is not read.
    package private(set) var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next token; nil at the end of the bytes.
    package mutating func next() -> Token? {
        skipBlanks()
        guard position < bytes.count else { return nil }
        tokenPosition = position
        position += 1
        switch bytes[tokenPosition] {
        case UInt8(ascii: "{"): return .objectStart
        case UInt8(ascii: "}"): return .objectEnd
        case UInt8(ascii: "["): return .arrayStart
        case UInt8(ascii: "]"): return .arrayEnd
        case UInt8(ascii: ":"): return .colon
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "\""): return readString()
        default:
            while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
            return .word(tokenPosition..<position)
        }
    }

    /// Reads the next token if it is a colon.
    ///
    /// - Returns: Whether it is one.
    package mutating func takeColon() -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return false }
        position += 1
        return true
    }

    private mutating func readString() -> Token {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return .string(start..<(position - 1), isClosed: true)
            case UInt8(ascii: "\\"):
                position += 2
            default:
                position += 1
            }
        }
        // It may have ended with a backslash.
        position = bytes.count
        return .string(start..<position, isClosed: false)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
            UInt8(ascii: ","), UInt8(ascii: "\""):
            true
        default: isBlank(byte)
        }
    }
}
