import HTTP2Codec

extension UpstreamFailure {
    /// The meaning of the failure for the request that was under way.
    var end: UpstreamEnd {
        switch self {
        case .streamReset(.refusedStream): .streamRefused
        case .streamReset(.http11Required): .http1Required
        case .streamReset: .stream
        case .goneAway: .goneAway
        default: .connection
        }
    }

    /// The code that a client that speaks HTTP/2 has its own stream reset with; nil where it needs to be told more.
    var resetCode: HTTP2ErrorCode? {
        switch self {
        case .streamReset(let code): code
        case .goneAway: .refusedStream
        default: nil
        }
    }
}
