/// Events that come of the same frame as another one, or of a call of the caller; small, because heads never wait.
struct FollowingEvents: Sendable {
    enum Event: Sendable {
        case end(HTTP2StreamID)
        case reset(HTTP2StreamID, HTTP2ErrorCode, HTTP2StreamError?)
        case writable(HTTP2StreamID)
    }

    private var events: [Event] = []
    private var first = 0

    var isEmpty: Bool { first == events.count }

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
