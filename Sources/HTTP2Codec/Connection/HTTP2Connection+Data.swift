import HTTP1Codec
import NIOCore

/// DATA from the peer (RFC 9113, section 6.1).
extension HTTP2Connection {
    /// Takes the header of a DATA frame and the length of its padding, and counts the frame against the windows.
    ///
    /// - Returns: `false` if more bytes are needed.
    mutating func beginData(_ header: FrameHeader) throws(HTTP2ConnectionError) -> Bool {
        guard header.streamID != .connection else { throw .streamIDMisplaced }
        guard let padding = try frames.padding(header) else { return false }
        let returned = try receiveWindow.take(header.length)
        if returned > 0 { output.buffer.writeWindowUpdate(.connection, increment: returned) }
        let count = header.length - padding.overhead
        let frame = IncomingData(
            streamID: header.streamID,
            endsStream: header.flags.contains(.endStream),
            isDelivered: try admitData(header, count: count),
            rest: count,
            padding: padding.length
        )
        frames.beginData(frame, after: padding)
        return true
    }

    /// - Parameter count: The bytes of data.
    /// - Returns: Whether the data goes to the caller.
    private mutating func admitData(_ header: FrameHeader, count: Int) throws(HTTP2ConnectionError) -> Bool {
        guard !numbers.isIdle(header.streamID) else { throw .streamIdle }
        budgets.dataPassed(count)
        guard let place = streams.place(of: header.streamID) else {
            try receiveStrayData(header)
            return false
        }
        let endsStream = header.flags.contains(.endStream)
        if count == 0, !endsStream { try budgets.spendIdleFrame(header.type) }
        do throws(HTTP2StreamError) {
            try streams[place].receiveData(length: header.length, count: count)
        } catch {
            try fail(at: place, error)
            return false
        }
        giveBack(at: place)
        return streams[place].receiving == .body
    }

    private mutating func receiveStrayData(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        try budgets.spendIdleFrame(header.type)
        guard !isIgnored(header.streamID) else { return }
        writeReset(header.streamID, code: .streamClosed)
    }

    func isReceivingBody(_ streamID: HTTP2StreamID) -> Bool {
        guard let place = streams.place(of: streamID) else { return false }
        return streams[place].receiving == .body
    }

    /// Ends the body of a stream after its last DATA frame.
    mutating func endData(_ streamID: HTTP2StreamID) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard let place = streams.place(of: streamID) else { return nil }
        switch streams[place].receiving {
        case .body:
            do throws(HTTP2StreamError) {
                try streams[place].expected.end()
            } catch {
                try fail(at: place, error)
                return nil
            }
            endReceiving(at: place)
            return .end(streamID, trailers: nil)
        case .dropping:
            endReceiving(at: place)
            return nil
        case .awaitingHead, .ended:
            return nil
        }
    }
}
