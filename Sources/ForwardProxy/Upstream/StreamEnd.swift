/// Why a request is given up while its connection could go on.
enum StreamEnd: Equatable {
    /// Nobody waits for the response any more.
    case cancelled
    /// The client reset its stream, with this code (RFC 9113, section 7).
    case reset(code: UInt32)
}
