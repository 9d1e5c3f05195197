import HTTP1Codec
import NIOCore

/// How streams come and go (RFC 9113, section 5.1).
extension HTTP2Connection {
    /// Whether no stream is open.
    package var isIdle: Bool { self.streams.count == 0 }

    /// How many streams a client may open now.
    package var openableStreams: Int {
        guard self.role == .client, !self.isGoingAway, self.nextStreamID <= HTTP2StreamID.last else { return 0 }
        let unused = Int((HTTP2StreamID.last - self.nextStreamID) / 2) + 1
        return max(0, min(self.concurrentStreams - self.streams.count, unused))
    }

    private var concurrentStreams: Int {
        min(self.settings.maxConcurrentStreams, self.peer.maxConcurrentStreams)
    }

    /// Reserves the next number. Requests have to be sent in the order of their streams: one that is overtaken by a
    /// later stream, or by GOAWAY, is not sent but reported as `reset` with `refusedStream`.
    ///
    /// - Returns: `nil` if `openableStreams` is 0.
    package mutating func openStream() -> HTTP2StreamID? {
        guard self.openableStreams > 0 else { return nil }
        let streamID = self.nextStreamID
        self.nextStreamID += 2
        self.streams.insert(self.makeStream(streamID))
        return streamID
    }

    /// Ends a stream at once, with what is kept for it. No event follows.
    package mutating func reset(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        guard let place = self.streams.place(of: streamID) else { return }
        let isReserved = self.role == .client && self.streams[place].sending == .awaitingHead
        self.remove(at: place)
        if !isReserved { self.writeReset(streamID, code: code) }
    }

    /// Drops what the peer still sends on a server's stream. Once the answer has been sent to its end, the stream is
    /// reset with NO_ERROR, unless the request has ended by then (RFC 9113, section 8.1).
    package mutating func stopReceiving(_ streamID: HTTP2StreamID) {
        guard let place = self.streams.place(of: streamID), self.streams[place].receiving == .body else { return }
        self.streams[place].receiving = .dropping
        self.closeIfComplete(at: place)
    }

    func makeStream(_ streamID: HTTP2StreamID) -> HTTP2Stream {
        HTTP2Stream(
            streamID: streamID,
            window: self.initialReceiveWindow,
            receiveWindow: self.initialReceiveWindow,
            sendWindow: self.peer.initialWindow
        )
    }

    mutating func remove(at place: Int) {
        if self.streams[place].isQueued { self.turns.remove(self.streams[place].streamID) }
        self.streams.remove(at: place)
    }

    mutating func endReceiving(at place: Int) {
        self.streams[place].receiving = .ended
        self.closeIfComplete(at: place)
    }

    mutating func endSending(at place: Int) {
        self.streams[place].sending = .ended
        self.closeIfComplete(at: place)
    }

    private mutating func closeIfComplete(at place: Int) {
        guard self.streams[place].sending == .ended else { return }
        let streamID = self.streams[place].streamID
        switch self.streams[place].receiving {
        case .awaitingHead, .body: return
        case .ended: self.endedStreams.insert(streamID)
        case .dropping: self.writeReset(streamID, code: .noError)
        }
        self.remove(at: place)
        self.abandonedStreams.restore(1)
        self.idleFrames.restore(8)
    }

    /// Resets a stream for a mistake of the peer.
    mutating func fail(at place: Int, _ error: HTTP2StreamError) throws(HTTP2ConnectionError) {
        let streamID = self.streams[place].streamID
        self.following.append(.reset(streamID, error.code, error))
        self.remove(at: place)
        self.writeReset(streamID, code: error.code)
        try self.spendAbandonedStream()
    }

    mutating func writeReset(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        self.output.buffer.writeResetStream(streamID, code: code)
        self.resetStreams.insert(streamID)
    }

    mutating func spendAbandonedStream() throws(HTTP2ConnectionError) {
        guard self.abandonedStreams.spend() else { throw .tooManyAbandonedStreams }
    }

    /// Whether nobody has opened the stream yet.
    func isIdle(_ streamID: HTTP2StreamID) -> Bool {
        streamID > self.highestStreamID || !streamID.isOfClient
    }

    /// Whether frames of a closed stream may still be under way, or are none of our business.
    func isIgnored(_ streamID: HTTP2StreamID) -> Bool {
        if self.role == .server, let admitted = self.admittedStreamID, streamID > admitted { return true }
        return self.resetStreams.contains(streamID)
    }
}
