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
        settingsExchange.stage == .complete ? settings.initialWindow : PeerSettings.initialWindow
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
            try sendWindow.enlarge(by: increment)
            sendKept()
            return
        }
        guard !numbers.isIdle(header.streamID) else { throw .streamIdle }
        guard let place = streams.place(of: header.streamID) else { return }
        guard increment > 0 else { return try fail(at: place, .windowIncrementZero) }
        streams[place].sendWindow += increment
        guard streams[place].sendWindow <= WindowSize.largest else {
            return try fail(at: place, .windowTooLarge)
        }
        let returned = min(increment, streams[place].heldBytes)
        streams[place].heldBytes -= returned
        sendWindow.release(returned)
        queueIfReady(at: place)
        sendKept()
    }
}

/// The connection's window, and what its streams leave of it.
extension HTTP2Connection {
    /// Indicates whether streams hold so little of the connection's window that another one's body can be sent, however
    /// large.
    package var hasRoomForBodies: Bool { sendWindow.hasRoomForBodies }

    /// The bytes of the connection's window that none of its streams holds.
    package var freeWindow: Int { sendWindow.rest }

    /// The bytes of the connection's window that a stream may now take.
    func share(at place: Int) -> Int {
        sendWindow.share(
            holding: streams[place].heldBytes,
            among: role == .client ? streams.count + expectedStreams : 1
        )
    }
}
