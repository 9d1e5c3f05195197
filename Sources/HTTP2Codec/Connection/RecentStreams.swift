/// The last streams of one kind, in bounded memory: the oldest is forgotten for the newest.
struct RecentStreams: Sendable {
    private let capacity: Int
    private var streamIDs: [HTTP2StreamID] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    func contains(_ streamID: HTTP2StreamID) -> Bool {
        self.streamIDs.contains(streamID)
    }

    mutating func insert(_ streamID: HTTP2StreamID) {
        guard self.streamIDs.count == self.capacity else { return self.streamIDs.append(streamID) }
        self.streamIDs[self.oldest] = streamID
        self.oldest = (self.oldest + 1) % self.capacity
    }
}
