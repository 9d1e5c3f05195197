import NIOCore

/// Flow control: WINDOW_UPDATE both ways (RFC 9113, section 6.9).
extension HTTP2Connection {
    /// Reports that bytes of `data` have been handed on, so that the peer may send as many again. The peer hears of it
    /// when half of the window is due; then the window may also grow, to twice what it was.
    ///
    /// - Parameter spare: The bytes by which it may grow.
    /// - Returns: The bytes by which it has grown.
    @discardableResult
    package mutating func consumed(_ streamID: HTTP2StreamID, bytes: Int, spare: Int = 0) -> Int {
        guard let place = streams.place(of: streamID) else { return 0 }
        let window = streams[place].window
        let missing = window - streams[place].receiveWindow
        streams[place].consumed = min(streams[place].consumed + bytes, max(0, missing))
        guard isGivenBack(at: place) else { return 0 }
        let growth = max(0, min(spare, window, settings.largestWindow - window))
        streams[place].window += growth
        streams[place].consumed += growth
        giveBack(at: place)
        return growth
    }

    /// The bytes that a new stream of the peer may receive: our setting counts once it is acknowledged.
    var initialReceiveWindow: Int {
        isAcknowledged ? settings.initialWindow : PeerSettings.initialWindow
    }

    /// Returns whether what has been consumed is worth a frame.
    private func isGivenBack(at place: Int) -> Bool {
        let stream = streams[place]
        return stream.consumed > 0 && stream.consumed >= stream.window / 2 && stream.receiving == .body
    }

    mutating func giveBack(at place: Int) {
        guard isGivenBack(at: place) else { return }
        let consumed = streams[place].consumed
        output.buffer.writeWindowUpdate(streams[place].streamID, increment: consumed)
        streams[place].receiveWindow += consumed
        streams[place].consumed = 0
    }

    mutating func receiveWindowUpdate(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) {
        guard header.length == 4 else { throw .frameSizeWrong }
        try budgets.spendIdleFrame(header.type)
        let increment = Int(payload.readableBytesUInt8Span.integer(at: 0) & 0x7FFF_FFFF)
        if header.streamID == .connection {
            guard increment > 0 else { throw .windowIncrementZero }
            sendWindow += increment
            guard sendWindow <= WindowSize.largest else { throw .windowTooLarge }
            largestSendWindow = max(largestSendWindow, sendWindow)
            sendKept()
            return
        }
        guard !isIdle(header.streamID) else { throw .streamIdle }
        guard let place = streams.place(of: header.streamID) else { return }
        guard increment > 0 else { return try fail(at: place, .windowIncrementZero) }
        streams[place].sendWindow += increment
        guard streams[place].sendWindow <= WindowSize.largest else {
            return try fail(at: place, .windowTooLarge)
        }
        let returned = min(increment, streams[place].heldBytes)
        streams[place].heldBytes -= returned
        heldBytes -= returned
        queueIfReady(at: place)
        sendKept()
    }
}

/// The shares that a client's streams may have of the connection's window.
///
/// A server that does not read what one of them sends gives nothing of that back, and by the default of RFC 9113, and
/// by that of many servers, a stream's window is as large as the connection's: one upload would hold up all others.
extension HTTP2Connection {
    /// Indicates whether streams hold so little of the connection's window that another one's body can be sent, however
    /// large.
    ///
    /// What is missing may be on its way back, or kept by a peer that gives back half of the window at once; hence what
    /// counts is the streams that are there. What these have not been given back counts for nothing where the
    /// connection has been: many a peer does that at once.
    package var hasRoomForBodies: Bool {
        min(heldBytes, largestSendWindow - sendWindow) <= largestSendWindow / 4
    }

    /// The bytes of the connection's window that none of its streams holds.
    package var freeWindow: Int { sendWindow }

    /// The last quarter of the window, shared out equally. As much of a large window is enough.
    private var reserve: Int { min(largestSendWindow / 4, 262_144) }

    /// The bytes that a stream may now take of the connection's window. One that is alone may take all of it; of
    /// several, each may take what is above the reserve, and below that what makes its own part of it complete.
    func share(at place: Int) -> Int {
        let count = streams.count + expectedStreams
        guard role == .client, count > 1 else { return sendWindow }
        let ownPart = reserve / count - streams[place].heldBytes
        return min(sendWindow, max(ownPart, sendWindow - reserve))
    }
}
