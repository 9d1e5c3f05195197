/// The first line of a head: a request line or a status line (RFC 9112, section 2.1).
protocol StartLine: Sendable {
    static var role: HeadFields.Role { get }
    /// The error of a line that is longer than a head may be.
    static var tooLong: MessageError { get }

    /// - Parameter line: The first line of the head, from byte 0 on.
    init(_ line: Range<Int>, of bytes: Span<UInt8>) throws(MessageError)
}
