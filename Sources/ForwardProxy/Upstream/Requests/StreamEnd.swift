import HTTP2Codec

/// The reason why a request is given up while its connection could go on.
enum StreamEnd: Equatable {
    /// Nobody waits for the response any more.
    case cancelled
    /// The response did not come in time.
    case timedOut
    /// The client reset its stream, with this code (RFC 9113, section 7).
    case reset(HTTP2ErrorCode)
}
