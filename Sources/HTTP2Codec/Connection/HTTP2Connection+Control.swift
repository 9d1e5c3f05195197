import NIOCore

/// PRIORITY, RST_STREAM, PING and GOAWAY from the peer (RFC 9113, section 6).
extension HTTP2Connection {
    mutating func receivePriority(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        guard header.streamID != .connection else { throw .streamIDMisplaced }
        try budgets.spendIdleFrame(header.type)
        if header.length == 5 { return }
        // A stream that is not there cannot be reset.
        guard let place = streams.place(of: header.streamID) else { throw .frameSizeWrong }
        try fail(at: place, .prioritySizeWrong)
    }

    mutating func receiveResetStream(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) {
        guard header.streamID != .connection else { throw .streamIDMisplaced }
        guard header.length == 4 else { throw .frameSizeWrong }
        guard !numbers.isIdle(header.streamID) else { throw .streamIdle }
        guard let place = streams.place(of: header.streamID) else {
            return try budgets.spendIdleFrame(header.type)
        }
        let code = HTTP2ErrorCode(rawValue: payload.readableBytesUInt8Span.integer(at: 0))
        // Whoever has had the whole answer has abandoned nothing.
        let isAbandoned = role == .server && streams[place].sending != .ended
        following.append(.reset(header.streamID, code, nil))
        remove(at: place)
        if isAbandoned { try budgets.spendAbandonedStream() }
    }

    mutating func receivePing(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard header.streamID == .connection else { throw .streamIDMisplaced }
        guard let value = payload.getInteger(at: payload.readerIndex, as: UInt64.self), header.length == 8 else {
            throw .frameSizeWrong
        }
        try budgets.spendIdleFrame(header.type)
        if header.flags.contains(.acknowledgement) { return .pong(value) }
        try budgets.addWaitingAnswer()
        output.buffer.writePing(value, isAcknowledgement: true)
        return nil
    }

    /// Takes the peer's GOAWAY. Of the debug text 256 bytes are kept.
    mutating func receiveGoAway(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard header.streamID == .connection else { throw .streamIDMisplaced }
        guard header.length >= 8 else { throw .frameSizeWrong }
        if ending.isAnnouncedByPeer { try budgets.spendIdleFrame(header.type) }
        ending.receiveAnnouncement()
        let bytes = payload.readableBytesUInt8Span
        let last = bytes.integer(at: 0) & HTTP2StreamID.last
        if role == .client { removeStreams(above: last) }
        return .goAway(
            lastStreamID: last,
            HTTP2ErrorCode(rawValue: bytes.integer(at: 4)),
            debugText: payload.getSlice(at: payload.readerIndex + 8, length: min(header.length - 8, 256))
                ?? ByteBuffer()
        )
    }

    /// Streams that the server will not process (RFC 9113, section 6.8).
    private mutating func removeStreams(above last: HTTP2StreamID) {
        // From the end, because a removal moves the last stream.
        for place in streams.places.reversed() where streams[place].streamID > last {
            let streamID = streams[place].streamID
            remove(at: place)
            following.append(.reset(streamID, .refusedStream, nil))
        }
    }
}
