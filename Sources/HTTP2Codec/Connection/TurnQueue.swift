/// Streams that have bytes to send and wait only for the connection's window, each at most once, served in turn.
struct TurnQueue: Sendable {
    private var streamIDs: [HTTP2StreamID] = []
    private var first = 0

    var isEmpty: Bool { self.first == self.streamIDs.count }

    mutating func append(_ streamID: HTTP2StreamID) {
        self.streamIDs.append(streamID)
    }

    mutating func popFirst() -> HTTP2StreamID? {
        guard !self.isEmpty else { return nil }
        let streamID = self.streamIDs[self.first]
        self.first += 1
        if self.isEmpty || self.first > 64 {
            self.streamIDs.removeFirst(self.first)
            self.first = 0
        }
        return streamID
    }

    mutating func remove(_ streamID: HTTP2StreamID) {
        self.streamIDs.removeSubrange(..<self.first)
        self.first = 0
        self.streamIDs.removeAll { $0 == streamID }
    }
}
