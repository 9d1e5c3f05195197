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
            guard input.count > FrameHeader.bytes else { return false }
            padding = Int(input.bytes.readableBytesUInt8Span[FrameHeader.bytes])
            overhead = 1 + padding
            guard overhead <= header.length else { throw .paddingTooLong }
        }
        input.skip(FrameHeader.bytes + overhead - padding)
        let returned = try receiveWindow.take(header.length)
        if returned > 0 { output.buffer.writeWindowUpdate(.connection, increment: returned) }
        let count = header.length - overhead
        phase = .data(
            IncomingData(
                streamID: header.streamID,
                endsStream: header.flags.contains(.endStream),
                isDelivered: try admitData(header, count: count),
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
            let bytes = input.take(frame.rest)
            frame.rest -= bytes.readableBytes
            phase = .data(frame)
            guard frame.isDelivered, isReceivingBody(frame.streamID) else { return nil }
            return .data(frame.streamID, bytes)
        }
        let skipped = min(frame.padding, input.count)
        input.skip(skipped)
        frame.padding -= skipped
        if frame.padding > 0 {
            phase = .data(frame)
            return nil
        }
        phase = .header
        return frame.endsStream ? try endData(frame.streamID) : nil
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

    private func isReceivingBody(_ streamID: HTTP2StreamID) -> Bool {
        guard let place = streams.place(of: streamID) else { return false }
        return streams[place].receiving == .body
    }

    private mutating func endData(_ streamID: HTTP2StreamID) throws(HTTP2ConnectionError) -> HTTP2Event? {
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
