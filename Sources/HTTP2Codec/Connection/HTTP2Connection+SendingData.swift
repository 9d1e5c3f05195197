package import HTTP1Codec
package import NIOCore

/// DATA and trailers to the peer, as far as the windows allow (RFC 9113, sections 5.2 and 6.1).
extension HTTP2Connection {
    /// Sends bytes of a body after its head. What exceeds the windows is kept, in order.
    package mutating func sendData(_ streamID: HTTP2StreamID, _ bytes: ByteBuffer, endsStream: Bool) {
        guard let place = self.streams.place(of: streamID), self.streams[place].sending == .body else { return }
        var rest = bytes
        if self.streams[place].kept.isEmpty {
            if self.writeData(at: place, &rest, endsStream: endsStream) {
                if endsStream { self.endSending(at: place) }
                return
            }
            self.streams[place].progress.restart(at: self.seconds)
        }
        self.streams[place].kept.append(rest)
        if endsStream { self.endKept(at: place, .endStream) }
        self.queueIfReady(at: place)
    }

    /// Ends a body with a trailer section, once everything before it has been sent.
    package mutating func sendTrailers(_ streamID: HTTP2StreamID, _ trailers: FieldSection) {
        if trailers.isEmpty { return self.sendData(streamID, ByteBuffer(), endsStream: true) }
        guard let place = self.streams.place(of: streamID), self.streams[place].sending == .body else { return }
        guard self.streams[place].kept.isEmpty else { return self.endKept(at: place, .trailers(trailers)) }
        self.writeTrailers(streamID, trailers)
        self.endSending(at: place)
    }

    /// The bytes that are kept for a stream; while there are any, send no more.
    package func pendingBytes(_ streamID: HTTP2StreamID) -> Int {
        self.streams.place(of: streamID).map { self.streams[$0].kept.bytes } ?? 0
    }

    /// Puts a stream in the queue for the connection's window, if that is all it waits for.
    mutating func queueIfReady(at place: Int) {
        guard !self.streams[place].isQueued, !self.streams[place].kept.isEmpty, self.streams[place].sendWindow > 0
        else { return }
        self.streams[place].isQueued = true
        self.turns.append(self.streams[place].streamID)
    }

    /// Sends what is kept, one frame of each stream in turn, until the connection's window is used up.
    mutating func sendKept() {
        while self.sendWindow > 0, let streamID = self.turns.popFirst() {
            guard let place = self.streams.place(of: streamID) else { continue }
            self.streams[place].isQueued = false
            self.sendKeptFrame(at: place)
        }
    }

    /// - Returns: Whether all bytes were sent, and with them the end of the stream if there is one.
    private mutating func writeData(at place: Int, _ rest: inout ByteBuffer, endsStream: Bool) -> Bool {
        if rest.readableBytes == 0 {
            if endsStream { self.writeDataHeader(at: place, count: 0, endsStream: true) }
            return true
        }
        while rest.readableBytes > 0 {
            let count = self.frameCapacity(at: place, bytes: rest.readableBytes)
            guard count > 0 else { return false }
            self.writeDataHeader(at: place, count: count, endsStream: endsStream && count == rest.readableBytes)
            self.output.buffer.writeBytes(rest.readableBytesSpan.extracting(first: count))
            rest.moveReaderIndex(forwardBy: count)
        }
        // Whoever takes in what is sent may well answer every frame with an update of both windows.
        self.idleFrames.restore(2)
        return true
    }

    private mutating func sendKeptFrame(at place: Int) {
        let kept = self.streams[place].kept.bytes
        let count = self.frameCapacity(at: place, bytes: kept)
        guard count > 0 else { return self.queueIfReady(at: place) }
        let isLast = count == kept
        var endsStream = false
        if isLast, case .endStream = self.streams[place].kept.end { endsStream = true }
        self.writeDataHeader(at: place, count: count, endsStream: endsStream)
        self.streams[place].kept.write(count, into: &self.output.buffer)
        if isLast {
            self.finishKept(at: place)
        } else {
            self.streams[place].progress.note(count, at: self.seconds)
            self.queueIfReady(at: place)
        }
    }

    private mutating func finishKept(at place: Int) {
        let streamID = self.streams[place].streamID
        self.following.append(.writable(streamID))
        switch self.streams[place].kept.end {
        case .open:
            return
        case .endStream:
            self.endSending(at: place)
        case .trailers(let trailers):
            self.writeTrailers(streamID, trailers)
            self.endSending(at: place)
        }
    }

    private mutating func endKept(at place: Int, _ end: KeptData.End) {
        self.streams[place].kept.end = end
        self.streams[place].sending = .ending
    }

    /// The bytes of the largest DATA frame that may be sent now. A peer may allow frames of 16 MiB, but one stream
    /// must not hold up the others for so long.
    private func frameCapacity(at place: Int, bytes: Int) -> Int {
        min(bytes, self.sendWindow, self.streams[place].sendWindow, self.peer.maxFrameSize, 65_536)
    }

    private mutating func writeDataHeader(at place: Int, count: Int, endsStream: Bool) {
        self.output.buffer.reserveCapacity(minimumWritableBytes: count + FrameHeader.bytes)
        self.output.buffer.writeFrameHeader(
            length: count,
            type: .data,
            flags: endsStream ? .endStream : [],
            streamID: self.streams[place].streamID
        )
        self.sendWindow -= count
        self.streams[place].sendWindow -= count
        self.idleFrames.restore(count >> 6)
        self.progress.note(count, at: self.seconds)
    }
}
