/// The way in which the end of a message body is found (RFC 9112, section 6.3).
package enum BodyFraming: Sendable, Equatable {
    /// There is no body, whatever the fields say.
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
