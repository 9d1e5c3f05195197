/// What a caller's timers need to know; the connection itself has no clock.
extension HTTP2Connection {
    /// Reports that whole seconds have passed, so that the limits forgive a little and stalls are noticed. To call it
    /// late, or for many seconds at once, is fine; never to call it only makes the limits stricter.
    package mutating func tick(seconds: Int = 1) {
        self.seconds += seconds
        abandonedStreams.restore(seconds * limits.abandonedStreamsPerSecond)
        idleFrames.restore(seconds * limits.idleFramesPerSecond)
    }

    /// Streams for which bytes have been kept that long while the peer opened no window worth mentioning: the stream's,
    /// or where that is open, the connection's, at which all such streams take turns.
    package func stalledStreams(seconds: Int) -> [HTTP2StreamID] {
        streams.places.compactMap { place in
            isStalled(at: place, seconds: seconds) ? streams[place].streamID : nil
        }
    }

    /// Whether the stream is one of ``stalledStreams(seconds:)``.
    package func isStalled(_ streamID: HTTP2StreamID, seconds: Int) -> Bool {
        streams.place(of: streamID).map { isStalled(at: $0, seconds: seconds) } ?? false
    }

    private func isStalled(at place: Int, seconds: Int) -> Bool {
        guard !streams[place].kept.isEmpty else { return false }
        let since = streams[place].progress.stalledSince
        return self.seconds - (streams[place].isQueued ? max(since, progress.stalledSince) : since) >= seconds
    }

    /// Bytes that are kept for all streams together.
    package var keptBytes: Int {
        streams.places.reduce(0) { $0 + streams[$1].kept.bytes }
    }

    /// The stream whose header block has begun and is not complete; that of the connection as long as its preface is
    /// not.
    package var streamOfUnfinishedHead: HTTP2StreamID? {
        switch phase {
        case .preface: .connection
        case .payload(let header) where header.type == .headers: header.streamID
        case .header, .payload, .data, .skipping: unfinishedBlock?.streamID
        }
    }
}
