package import HTTP1Codec
package import NIOCore

/// An event that an `HTTP2Connection` reports, in the order in which it came.
///
/// A stream has its head (after informational ones, for a client), then `data`, then `end`. `reset` may come at any
/// time before the stream is closed on both sides, and nothing follows it; with NO_ERROR after `end`, a server has
/// answered and needs no more of the request. An event may still come for a stream that the caller reset a moment ago.
package enum HTTP2Event: Sendable {
    /// A server's stream begins. `endsStream`: there is no body; `end` follows all the same.
    case requestHead(HTTP2StreamID, RequestHead, endsStream: Bool)
    /// A client's stream is answered; also with each informational response.
    case responseHead(HTTP2StreamID, ResponseHead, endsStream: Bool)
    /// Bytes of the body; a slice of what was received, never empty. Give them back with `consumed`.
    case data(HTTP2StreamID, ByteBuffer)
    /// The peer has sent everything. `nil` if there is no trailer section.
    case end(HTTP2StreamID, trailers: FieldSection?)
    /// The stream is gone: reset by the peer (`error` is `nil`), or by this side because of a mistake of the peer. With
    /// `HTTP2ErrorCode.refusedStream` and no `error`, the request was not processed and may be repeated.
    case reset(HTTP2StreamID, HTTP2ErrorCode, error: HTTP2StreamError?)
    /// Everything that was kept for the stream is in the output; a stream that has ended may be gone by now.
    case writable(HTTP2StreamID)
    /// A server's stream whose head cannot be used for this reason: answer it with the status. What the peer still
    /// sends on it is dropped, and the stream is reset with NO_ERROR after the answer unless it has ended by then.
    case refused(HTTP2StreamID, HeaderBlockError, status: Int)
    /// The peer accepts no more streams. A client's streams above `lastStreamID` are reported as `reset` with
    /// `refusedStream` next. `debugText` is for logs only.
    case goAway(lastStreamID: HTTP2StreamID, HTTP2ErrorCode, debugText: ByteBuffer)
    /// The peer has answered a `sendPing`.
    case pong(UInt64)
}

/// Events that come of the same frame as another one, or of a call of the caller; small, because heads never wait.
struct FollowingEvents: Sendable {
    enum Event: Sendable {
        case end(HTTP2StreamID)
        case reset(HTTP2StreamID, HTTP2ErrorCode, HTTP2StreamError?)
        case writable(HTTP2StreamID)
    }

    private var events: [Event] = []
    private var first = 0

    mutating func append(_ event: Event) {
        events.append(event)
    }

    mutating func popFirst() -> HTTP2Event? {
        guard first < events.count else { return nil }
        let event = events[first]
        first += 1
        if first == events.count {
            events.removeAll(keepingCapacity: true)
            first = 0
        }
        switch event {
        case .end(let streamID): return .end(streamID, trailers: nil)
        case .reset(let streamID, let code, let error): return .reset(streamID, code, error: error)
        case .writable(let streamID): return .writable(streamID)
        }
    }
}
