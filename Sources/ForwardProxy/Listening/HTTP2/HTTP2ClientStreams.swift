import HTTP2Codec

/// The streams of a client's HTTP/2 connection that are not over.
struct HTTP2ClientStreams {
    private var streams: [HTTP2StreamID: HTTP2ClientStream] = [:]
    /// The streams that came with what is being read.
    private var arrived: [HTTP2ClientStream] = []

    var isEmpty: Bool { streams.isEmpty }

    var count: Int { streams.count }

    /// All streams, in no order.
    var all: Dictionary<HTTP2StreamID, HTTP2ClientStream>.Values { streams.values }

    subscript(_ id: HTTP2StreamID) -> HTTP2ClientStream? { streams[id] }

    func contains(_ stream: HTTP2ClientStream) -> Bool { streams[stream.id] === stream }

    mutating func insert(_ stream: HTTP2ClientStream) {
        streams[stream.id] = stream
        arrived.append(stream)
    }

    /// Returns whether it has come with what is being read.
    func isNew(_ stream: HTTP2ClientStream) -> Bool { arrived.contains { $0 === stream } }

    /// Returns those that were inserted since this was called the last time, in the order in which they came.
    mutating func takeArrived() -> [HTTP2ClientStream] {
        guard !arrived.isEmpty else { return [] }
        defer { arrived = [] }
        return arrived
    }

    mutating func remove(_ id: HTTP2StreamID) -> HTTP2ClientStream? {
        streams.removeValue(forKey: id)
    }

    /// Removes all.
    mutating func takeAll() -> Dictionary<HTTP2StreamID, HTTP2ClientStream>.Values {
        defer { streams = [:] }
        return streams.values
    }
}
