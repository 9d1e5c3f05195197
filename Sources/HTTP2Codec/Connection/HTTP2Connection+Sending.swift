package import Bytes
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
        appending: AppendedFields = [:],
        neverIndexing secret: [UInt8]? = nil,
        endsStream: Bool
    ) {
        guard let place = streams.place(of: streamID), streams[place].sending == .awaitingHead else { return }
        guard streamID > numbers.highest, !ending.isAnnouncedByPeer else {
            remove(at: place)
            return following.append(.reset(streamID, .refusedStream, nil))
        }
        numbers.use(streamID)
        streams[place].method = head.method
        let start = beginBlock()
        encoder.write(
            request: head,
            scheme: scheme,
            authority: authority,
            target: target,
            dropping: dropping,
            appending: appending,
            neverIndexing: secret,
            into: &output.buffer
        )
        endBlock(start, streamID, endsStream: endsStream)
        didSendHead(at: place, endsStream: endsStream)
    }

    /// Sends a response, informational or final; the parameters are those of `HeaderBlockEncoder`.
    package mutating func sendResponse(
        _ streamID: HTTP2StreamID,
        _ head: ResponseHead,
        dropping: KnownFieldSet = [],
        appending: AppendedFields = [:],
        endsStream: Bool
    ) {
        guard let place = answerablePlace(of: streamID) else { return }
        let start = beginBlock()
        encoder.write(response: head, dropping: dropping, appending: appending, into: &output.buffer)
        endBlock(start, streamID, endsStream: endsStream)
        if !head.isInformational { didSendHead(at: place, endsStream: endsStream) }
    }

    /// Sends a response that has no head of its own.
    package mutating func sendAnswer(_ streamID: HTTP2StreamID, status: Int, fields: AppendedFields, endsStream: Bool) {
        guard let place = answerablePlace(of: streamID) else { return }
        let start = beginBlock()
        encoder.write(status: status, fields: fields, into: &output.buffer)
        endBlock(start, streamID, endsStream: endsStream)
        if status >= 200 { didSendHead(at: place, endsStream: endsStream) }
    }

    mutating func writeTrailers(_ streamID: HTTP2StreamID, _ trailers: FieldSection) {
        let start = beginBlock()
        encoder.write(trailers: trailers, into: &output.buffer)
        endBlock(start, streamID, endsStream: true)
    }

    private func answerablePlace(of streamID: HTTP2StreamID) -> Int? {
        guard role == .server, let place = streams.place(of: streamID) else { return nil }
        return streams[place].sending == .awaitingHead ? place : nil
    }

    private mutating func didSendHead(at place: Int, endsStream: Bool) {
        streams[place].sending = .body
        if endsStream { endSending(at: place) }
    }

    /// Leaves room for a frame header.
    ///
    /// - Returns: Where that begins.
    private mutating func beginBlock() -> Int {
        output.buffer.writeFrameHeader(length: 0, type: .headers, streamID: .connection)
        return output.buffer.writerIndex - FrameHeader.bytes
    }

    /// Makes a frame of the header block behind `start`, or several if it is larger than the peer takes.
    private mutating func endBlock(_ start: Int, _ streamID: HTTP2StreamID, endsStream: Bool) {
        let end = output.buffer.writerIndex
        let length = end - start - FrameHeader.bytes
        let flags: FrameFlags = endsStream ? .endStream : []
        if length <= settingsExchange.peer.maxFrameSize {
            output.buffer.moveWriterIndex(to: start)
            output.buffer.writeFrameHeader(
                length: length,
                type: .headers,
                flags: flags.union(.endHeaders),
                streamID: streamID
            )
            return output.buffer.moveWriterIndex(to: end)
        }
        guard var block = output.buffer.getSlice(at: start + FrameHeader.bytes, length: length) else { return }
        output.buffer.moveWriterIndex(to: start)
        var type = FrameType.headers
        while let fragment = block.readSlice(length: min(block.readableBytes, settingsExchange.peer.maxFrameSize)) {
            let isLast = block.readableBytes == 0
            output.buffer.writeFrameHeader(
                length: fragment.readableBytes,
                type: type,
                flags: (type == .headers ? flags : []).union(isLast ? .endHeaders : []),
                streamID: streamID
            )
            output.buffer.writeImmutableBuffer(fragment)
            if isLast { return }
            type = .continuation
        }
    }
}

/// The bytes that are to be sent, in storage that is used again once whoever took them has let go of it.
struct FrameOutput: Sendable {
    private var storage = ByteBuffer()
    private var isTaken = false

    var isEmpty: Bool { isTaken || storage.readableBytes == 0 }

    /// The buffer to write into; positions in it hold from the first write on until it is taken.
    var buffer: ByteBuffer {
        _read { yield storage }
        _modify {
            if isTaken {
                isTaken = false
                storage.clear()
            }
            yield &storage
        }
    }

    /// - Parameter capacity: Storage with more bytes than that is given away for good.
    mutating func take(keepingAtMost capacity: Int) -> ByteBuffer {
        if isEmpty { return ByteBuffer() }
        let taken = storage
        if taken.capacity <= capacity {
            isTaken = true
        } else {
            storage = ByteBuffer()
        }
        return taken
    }
}
