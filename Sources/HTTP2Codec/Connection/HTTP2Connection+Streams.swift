import HTTP1Codec
import NIOCore

/// The opening and closing of streams (RFC 9113, section 5.1).
extension HTTP2Connection {
    /// Indicates whether no stream is open.
    package var isIdle: Bool { streams.count == 0 }

    /// The number of streams that a client may open now.
    package var openableStreams: Int {
        guard role == .client, !isGoingAway else { return 0 }
        return max(0, min(concurrentStreams - streams.count, numbers.unreserved))
    }

    private var concurrentStreams: Int {
        min(settings.maxConcurrentStreams, settingsExchange.peer.maxConcurrentStreams)
    }

    /// Reserves the next number. Requests have to be sent in the order of their streams: one that is overtaken by a
    /// later stream, or by GOAWAY, is not sent but reported as `reset` with `refusedStream`.
    ///
    /// - Returns: `nil` if `openableStreams` is 0.
    package mutating func openStream() -> HTTP2StreamID? {
        guard openableStreams > 0 else { return nil }
        let streamID = numbers.reserve()
        streams.insert(makeStream(streamID))
        return streamID
    }

    /// Ends a stream at once, with what is kept for it. No event follows.
    package mutating func reset(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        guard let place = streams.place(of: streamID) else { return }
        let isReserved = role == .client && streams[place].sending == .awaitingHead
        remove(at: place)
        if !isReserved { writeReset(streamID, code: code) }
    }

    /// Drops what the peer still sends on a server's stream. Once the answer has been sent to its end, the stream is
    /// reset with NO_ERROR, unless the request has ended by then (RFC 9113, section 8.1).
    package mutating func stopReceiving(_ streamID: HTTP2StreamID) {
        guard let place = streams.place(of: streamID), streams[place].receiving == .body else { return }
        streams[place].receiving = .dropping
        closeIfComplete(at: place)
    }

    func makeStream(_ streamID: HTTP2StreamID) -> HTTP2Stream {
        HTTP2Stream(
            streamID: streamID,
            window: initialReceiveWindow,
            receiveWindow: initialReceiveWindow,
            sendWindow: settingsExchange.peer.initialWindow
        )
    }

    mutating func remove(at place: Int) {
        if streams[place].isQueued { turns.remove(streams[place].streamID) }
        sendWindow.release(streams[place].heldBytes)
        streams.remove(at: place)
    }

    mutating func endReceiving(at place: Int) {
        streams[place].receiving = .ended
        closeIfComplete(at: place)
    }

    mutating func endSending(at place: Int) {
        streams[place].sending = .ended
        closeIfComplete(at: place)
    }

    private mutating func closeIfComplete(at place: Int) {
        guard streams[place].sending == .ended else { return }
        let streamID = streams[place].streamID
        switch streams[place].receiving {
        case .awaitingHead, .body: return
        case .ended: numbers.noteEnd(streamID)
        case .dropping: writeReset(streamID, code: .noError)
        }
        remove(at: place)
        budgets.streamCompleted()
    }

    /// Resets a stream for a mistake of the peer.
    mutating func fail(at place: Int, _ error: HTTP2StreamError) throws(HTTP2ConnectionError) {
        let streamID = streams[place].streamID
        following.append(.reset(streamID, error.code, error))
        remove(at: place)
        writeReset(streamID, code: error.code)
        try budgets.spendAbandonedStream()
    }

    mutating func writeReset(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        output.buffer.writeResetStream(streamID, code: code)
        numbers.noteReset(streamID)
    }

    /// Returns whether frames of a closed stream may still be under way, or are none of our business.
    func isIgnored(_ streamID: HTTP2StreamID) -> Bool {
        if role == .server, let admitted = ending.admitted, streamID > admitted { return true }
        return numbers.wasReset(streamID)
    }
}
