import HTTP2Codec

extension UpstreamFailure {
    /// Whether the upstream ended the request's stream, and nothing else.
    var isReset: Bool {
        if case .streamReset = self { return true }
        return false
    }

    /// Whether the upstream said that it has not processed the request, so that any may be sent again (RFC 9113, section
    /// 8.7).
    var isUnprocessed: Bool {
        if case .streamReset(.refusedStream) = self { return true }
        return false
    }

    /// Whether the upstream wants the request by HTTP/1.1.
    var isHTTP1Required: Bool {
        if case .streamReset(.http11Required) = self { return true }
        return false
    }
}
