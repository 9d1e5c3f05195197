import Bytes

/// The way in which the end of a message body is found (RFC 9112, section 6.3).
package enum BodyFraming: Sendable, Equatable {
    /// No body, whatever the fields say.
    case none
    /// A `Content-Length` in bytes, which may be 0.
    case length(UInt64)
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// Responses only: the body ends with the connection.
    case untilClose
    /// HTTP/2 only: the body ends with the stream, and nothing says its length before (RFC 9113, section 8.1).
    case endOfStream
}

/// `Content-Length = 1*DIGIT` (RFC 9110, section 8.6). A list of equal values, a sign, or white space inside is refused
/// though a recipient may repair some of them: what one hop repairs, the next may read otherwise.
package enum ContentLength {
    /// - Throws: `contentLengthMalformed` also for a number that needs more than 63 bits.
    package static func parse(_ bytes: Span<UInt8>) throws(MessageError) -> UInt64 {
        guard bytes.count > 0 else { throw .contentLengthMalformed }
        var length: UInt64 = 0
        for index in bytes.indices {
            guard let digit = bytes[index].decimalValue else { throw .contentLengthMalformed }
            let (product, overflow) = length.multipliedReportingOverflow(by: 10)
            guard !overflow, product <= UInt64(Int64.max) - 9 else { throw .contentLengthMalformed }
            length = product + UInt64(digit)
        }
        return length
    }
}
