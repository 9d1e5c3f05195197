/// The last streams of one kind, in bounded memory: the oldest is forgotten for the newest.
struct RecentStreams: Sendable {
    private let capacity: Int
    private var streamIDs: [HTTP2StreamID] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    func contains(_ streamID: HTTP2StreamID) -> Bool {
        streamIDs.contains(streamID)
    }

    mutating func insert(_ streamID: HTTP2StreamID) {
        guard streamIDs.count == capacity else { return streamIDs.append(streamID) }
        streamIDs[oldest] = streamID
        oldest = (oldest + 1) % capacity
    }
}
