import Bytes

/// `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112, section 4). The second SP may be missing when there is
/// no reason phrase, because many servers leave it out and nothing is ambiguous then.
struct StatusLine: Sendable {
    let version: HTTPVersion
    let status: Int
    private let reasonStart: UInt32
    private let reasonEnd: UInt32

    /// The place of the reason phrase in the line; empty if there is none.
    var reasonRange: Range<Int> { Int(reasonStart)..<Int(reasonEnd) }
    /// Indicates whether the second SP is there.
    var hasReasonDelimiter: Bool { reasonStart == 13 }

    /// The line `"HTTP/2.0" SP status-code SP` that stands for `:status` (RFC 9113, section 8.3.2).
    init(http2 status: Int) {
        version = .http2
        self.status = status
        reasonStart = 13
        reasonEnd = 13
    }

    /// - Parameter line: The first line of the head, from byte 0 on, free of control characters but HTAB.
    init(_ line: Range<Int>, of bytes: Span<UInt8>) throws(MessageError) {
        guard line.count >= 12, bytes[8] == 0x20 else { throw .statusLineMalformed }
        version = try HTTPVersion(bytes.extracting(0..<8), orThrow: .statusLineMalformed)
        guard let hundreds = bytes[9].decimalValue, hundreds != 0, let tens = bytes[10].decimalValue,
            let ones = bytes[11].decimalValue
        else { throw .statusLineMalformed }
        status = Int(hundreds) &* 100 &+ Int(tens) &* 10 &+ Int(ones)
        guard line.count == 12 || bytes[12] == 0x20 else { throw .statusLineMalformed }
        guard let end = UInt32(exactly: line.upperBound) else { throw .headerTooLarge }
        reasonStart = line.count == 12 ? 12 : 13
        reasonEnd = end
    }
}

extension StatusLine: StartLine {
    static var role: HeadFields.Role { .response }
    static var tooLong: MessageError { .headerTooLarge }
}
