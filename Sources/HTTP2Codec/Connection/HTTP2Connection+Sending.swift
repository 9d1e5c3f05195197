import Bytes
package import HTTP1Codec
package import NIOCore

/// Heads to the peer.
extension HTTP2Connection {
    /// Sends a request on a stream of `openStream()`; the parameters are those of `HeaderBlockEncoder`.
    package mutating func sendRequest(
        _ streamID: HTTP2StreamID,
        _ head: RequestHead,
        scheme: URIScheme,
        authority: ByteBuffer,
        target: ByteBuffer? = nil,
        dropping: KnownFieldSet = [],
        appending: ByteBuffer = ByteBuffer(),
        endsStream: Bool
    ) {
        guard let place = self.streams.place(of: streamID), self.streams[place].sending == .awaitingHead else { return }
        guard streamID > self.highestStreamID, !self.hasReceivedGoAway else {
            self.remove(at: place)
            return self.following.append(.reset(streamID, .refusedStream, nil))
        }
        self.highestStreamID = streamID
        self.streams[place].method = head.method
        let start = self.beginBlock()
        self.encoder.write(
            request: head,
            scheme: scheme,
            authority: authority,
            target: target,
            dropping: dropping,
            appending: appending,
            into: &self.output.buffer
        )
        self.endBlock(start, streamID, endsStream: endsStream)
        self.didSendHead(at: place, endsStream: endsStream)
    }

    /// Sends a response, informational or final; the parameters are those of `HeaderBlockEncoder`.
    package mutating func sendResponse(
        _ streamID: HTTP2StreamID,
        _ head: ResponseHead,
        dropping: KnownFieldSet = [],
        appending: ByteBuffer = ByteBuffer(),
        endsStream: Bool
    ) {
        guard let place = self.answerablePlace(of: streamID) else { return }
        let start = self.beginBlock()
        self.encoder.write(response: head, dropping: dropping, appending: appending, into: &self.output.buffer)
        self.endBlock(start, streamID, endsStream: endsStream)
        if !head.isInformational { self.didSendHead(at: place, endsStream: endsStream) }
    }

    /// Sends a response that has no head of its own.
    ///
    /// - Parameter fields: Complete field lines, each ended by CR LF, or nothing.
    package mutating func sendAnswer(_ streamID: HTTP2StreamID, status: Int, fields: ByteBuffer, endsStream: Bool) {
        guard let place = self.answerablePlace(of: streamID) else { return }
        let start = self.beginBlock()
        self.encoder.write(status: status, fields: fields, into: &self.output.buffer)
        self.endBlock(start, streamID, endsStream: endsStream)
        if status >= 200 { self.didSendHead(at: place, endsStream: endsStream) }
    }

    mutating func writeTrailers(_ streamID: HTTP2StreamID, _ trailers: FieldSection) {
        let start = self.beginBlock()
        self.encoder.write(trailers: trailers, into: &self.output.buffer)
        self.endBlock(start, streamID, endsStream: true)
    }

    private func answerablePlace(of streamID: HTTP2StreamID) -> Int? {
        guard self.role == .server, let place = self.streams.place(of: streamID) else { return nil }
        return self.streams[place].sending == .awaitingHead ? place : nil
    }

    private mutating func didSendHead(at place: Int, endsStream: Bool) {
        self.streams[place].sending = .body
        if endsStream { self.endSending(at: place) }
    }

    /// Leaves room for a frame header.
    ///
    /// - Returns: Where that begins.
    private mutating func beginBlock() -> Int {
        self.output.buffer.writeFrameHeader(length: 0, type: .headers, streamID: .connection)
        return self.output.buffer.writerIndex - FrameHeader.bytes
    }

    /// Makes a frame of the header block behind `start`, or several if it is larger than the peer takes.
    private mutating func endBlock(_ start: Int, _ streamID: HTTP2StreamID, endsStream: Bool) {
        let end = self.output.buffer.writerIndex
        let length = end - start - FrameHeader.bytes
        let flags: FrameFlags = endsStream ? .endStream : []
        if length <= self.peer.maxFrameSize {
            self.output.buffer.moveWriterIndex(to: start)
            self.output.buffer.writeFrameHeader(
                length: length,
                type: .headers,
                flags: flags.union(.endHeaders),
                streamID: streamID
            )
            return self.output.buffer.moveWriterIndex(to: end)
        }
        guard var block = self.output.buffer.getSlice(at: start + FrameHeader.bytes, length: length) else { return }
        self.output.buffer.moveWriterIndex(to: start)
        var type = FrameType.headers
        while let fragment = block.readSlice(length: min(block.readableBytes, self.peer.maxFrameSize)) {
            let isLast = block.readableBytes == 0
            self.output.buffer.writeFrameHeader(
                length: fragment.readableBytes,
                type: type,
                flags: (type == .headers ? flags : []).union(isLast ? .endHeaders : []),
                streamID: streamID
            )
            self.output.buffer.writeImmutableBuffer(fragment)
            if isLast { return }
            type = .continuation
        }
    }
}
