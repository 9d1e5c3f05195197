/// A token of JSON (RFC 8259, section 2), told by its first byte alone.
package enum JSONToken: Equatable, Sendable {
    case objectStart
    case objectEnd
    case arrayStart
    case arrayEnd
    case colon
    case comma
    /// A string: the range of its content, without the quotation marks, which ``JSONString/decode(_:)`` reads. A string
    /// that is not closed reaches to the end of the bytes.
    case string(Range<Int>, isClosed: Bool)
    /// A number or one of the three literals, or bytes that are none of them: all up to the next blank, quotation mark,
    /// bracket, colon or comma.
    case word(Range<Int>)
}
