/// The numbers of a connection's streams, which all are a client's (RFC 9113, section 5.1.1), and those that were
/// closed last.
struct StreamNumbers: Sendable {
    /// The highest that has been used: by the peer's HEADERS for a server, by ours for a client.
    private(set) var highest = HTTP2StreamID.connection
    /// A client's next one; above 2^31-1 when all are used.
    private var next: HTTP2StreamID
    /// Streams that we reset, on which frames may still be under way.
    private var reset = RecentStreams(capacity: 256)
    private var ended = RecentStreams(capacity: 32)

    /// - Parameter next: The first that a client reserves.
    init(next: HTTP2StreamID = 1) {
        self.next = next
    }

    /// The number of those that a client can still reserve.
    var unreserved: Int { next > HTTP2StreamID.last ? 0 : Int((HTTP2StreamID.last - next) / 2) + 1 }

    /// Returns the next one; to be called only while ``unreserved`` is above 0.
    mutating func reserve() -> HTTP2StreamID {
        defer { next += 2 }
        return next
    }

    /// Notes one that is higher than all before.
    mutating func use(_ streamID: HTTP2StreamID) {
        highest = streamID
    }

    mutating func noteReset(_ streamID: HTTP2StreamID) {
        reset.insert(streamID)
    }

    mutating func noteEnd(_ streamID: HTTP2StreamID) {
        ended.insert(streamID)
    }

    /// Returns whether nobody has opened the stream yet.
    func isIdle(_ streamID: HTTP2StreamID) -> Bool { streamID > highest || !streamID.isOfClient }

    /// Returns whether it is one of the last that we reset.
    func wasReset(_ streamID: HTTP2StreamID) -> Bool { reset.contains(streamID) }

    /// Returns whether it is one of the last that both sides ended.
    func hasEnded(_ streamID: HTTP2StreamID) -> Bool { ended.contains(streamID) }
}
