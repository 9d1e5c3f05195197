/// Streams that have bytes to send and wait only for the connection's window, each at most once, served in turn.
struct TurnQueue: Sendable {
    private var streamIDs: [HTTP2StreamID] = []
    private var first = 0

    var isEmpty: Bool { first == streamIDs.count }
    var count: Int { streamIDs.count - first }

    mutating func append(_ streamID: HTTP2StreamID) {
        streamIDs.append(streamID)
    }

    mutating func popFirst() -> HTTP2StreamID? {
        guard !isEmpty else { return nil }
        let streamID = streamIDs[first]
        first += 1
        if isEmpty || first > 64 {
            streamIDs.removeFirst(first)
            first = 0
        }
        return streamID
    }

    mutating func remove(_ streamID: HTTP2StreamID) {
        streamIDs.removeSubrange(..<first)
        first = 0
        streamIDs.removeAll { $0 == streamID }
    }
}
