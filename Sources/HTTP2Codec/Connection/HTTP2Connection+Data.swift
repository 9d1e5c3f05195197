import HTTP1Codec
import NIOCore

/// DATA from the peer (RFC 9113, section 6.1).
extension HTTP2Connection {
    /// Takes the header of a DATA frame and the length of its padding, and counts the frame against the windows.
    ///
    /// - Returns: `false` if more bytes are needed.
    mutating func beginData(_ header: FrameHeader) throws(HTTP2ConnectionError) -> Bool {
        guard header.streamID != .connection else { throw .streamIDMisplaced }
        var padding = 0
        var overhead = 0
        if header.flags.contains(.padded) {
            guard header.length > 0 else { throw .frameSizeWrong }
            guard self.input.count > FrameHeader.bytes else { return false }
            padding = Int(self.input.bytes.readableBytesUInt8Span[FrameHeader.bytes])
            overhead = 1 + padding
            guard overhead <= header.length else { throw .paddingTooLong }
        }
        self.input.skip(FrameHeader.bytes + overhead - padding)
        try self.chargeConnection(header.length)
        let count = header.length - overhead
        self.phase = .data(
            IncomingData(
                streamID: header.streamID,
                endsStream: header.flags.contains(.endStream),
                isDelivered: try self.admitData(header, count: count),
                rest: count,
                padding: padding
            )
        )
        return true
    }

    /// Hands on what there is of a DATA frame's payload.
    mutating func readData(_ frame: IncomingData) throws(HTTP2ConnectionError) -> HTTP2Event? {
        var frame = frame
        if frame.rest > 0 {
            let bytes = self.input.take(frame.rest)
            frame.rest -= bytes.readableBytes
            self.phase = .data(frame)
            guard frame.isDelivered, self.isReceivingBody(frame.streamID) else { return nil }
            return .data(frame.streamID, bytes)
        }
        let skipped = min(frame.padding, self.input.count)
        self.input.skip(skipped)
        frame.padding -= skipped
        if frame.padding > 0 {
            self.phase = .data(frame)
            return nil
        }
        self.phase = .header
        return frame.endsStream ? try self.endData(frame.streamID) : nil
    }

    /// Counts a frame against the connection's window, and gives it back at once: a stream whose bytes wait at the
    /// caller must not stop the others.
    private mutating func chargeConnection(_ length: Int) throws(HTTP2ConnectionError) {
        guard length <= self.receiveWindow else { throw .windowExceeded }
        self.receiveWindow -= length
        let missing = self.settings.connectionWindow - self.receiveWindow
        guard missing > 0, missing >= self.settings.connectionWindow / 2 else { return }
        self.output.buffer.writeWindowUpdate(.connection, increment: missing)
        self.receiveWindow += missing
    }

    /// - Parameter count: The bytes of data.
    /// - Returns: Whether the data goes to the caller.
    private mutating func admitData(_ header: FrameHeader, count: Int) throws(HTTP2ConnectionError) -> Bool {
        guard !self.isIdle(header.streamID) else { throw .streamIdle }
        self.idleFrames.restore(count >> 6)
        guard let place = self.streams.place(of: header.streamID) else {
            try self.receiveStrayData(header)
            return false
        }
        let endsStream = header.flags.contains(.endStream)
        if count == 0, !endsStream { try self.spendIdleFrame(header) }
        do throws(HTTP2StreamError) {
            try self.streams[place].receiveData(length: header.length, count: count)
        } catch {
            try self.fail(at: place, error)
            return false
        }
        self.giveBack(at: place)
        return self.streams[place].receiving == .body
    }

    private mutating func receiveStrayData(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        try self.spendIdleFrame(header)
        guard !self.isIgnored(header.streamID) else { return }
        self.writeReset(header.streamID, code: .streamClosed)
    }

    private func isReceivingBody(_ streamID: HTTP2StreamID) -> Bool {
        guard let place = self.streams.place(of: streamID) else { return false }
        return self.streams[place].receiving == .body
    }

    private mutating func endData(_ streamID: HTTP2StreamID) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard let place = self.streams.place(of: streamID) else { return nil }
        switch self.streams[place].receiving {
        case .body:
            do throws(HTTP2StreamError) {
                try self.streams[place].expected.end()
            } catch {
                try self.fail(at: place, error)
                return nil
            }
            self.endReceiving(at: place)
            return .end(streamID, trailers: nil)
        case .dropping:
            self.endReceiving(at: place)
            return nil
        case .awaitingHead, .ended:
            return nil
        }
    }
}
