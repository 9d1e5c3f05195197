import HTTP1Codec
import NIOCore

/// HEADERS and CONTINUATION from the peer (RFC 9113, sections 6.2 and 6.10).
extension HTTP2Connection {
    mutating func receiveHeaders(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard header.streamID != .connection else { throw .streamIDMisplaced }
        guard header.streamID.isOfClient else { throw .streamIDInvalid }
        let fragment = try fragment(of: payload, flags: header.flags)
        let endsStream = header.flags.contains(.endStream)
        if header.flags.contains(.endHeaders) {
            return try receiveBlock(header.streamID, fragment, endsStream: endsStream)
        }
        frames.beginBlock(header.streamID, fragment, endsStream: endsStream)
        return nil
    }

    mutating func receiveContinuation(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        let block = try frames.continueBlock(
            payload,
            endsBlock: header.flags.contains(.endHeaders),
            limits: limits
        )
        if payload.readableBytes == 0 { try budgets.spendIdleFrame(header.type) }
        guard let block else { return nil }
        return try receiveBlock(block.streamID, block.bytes, endsStream: block.endsStream)
    }

    /// The part of the header block in a HEADERS frame. Priorities are ignored (RFC 9113, section 5.3.2).
    private func fragment(of payload: ByteBuffer, flags: FrameFlags) throws(HTTP2ConnectionError) -> ByteBuffer {
        guard !flags.isDisjoint(with: [.padded, .priority]) else { return payload }
        var fragment = payload
        var padding = 0
        if flags.contains(.padded) {
            guard let length = fragment.readInteger(as: UInt8.self) else { throw .frameSizeWrong }
            padding = Int(length)
        }
        if flags.contains(.priority) {
            guard fragment.readableBytes >= 5 else { throw .frameSizeWrong }
            fragment.moveReaderIndex(forwardBy: 5)
        }
        guard padding <= fragment.readableBytes else { throw .paddingTooLong }
        fragment.moveWriterIndex(to: fragment.writerIndex - padding)
        return fragment
    }

    private mutating func receiveBlock(
        _ streamID: HTTP2StreamID,
        _ block: ByteBuffer,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        if let place = streams.place(of: streamID) {
            switch streams[place].receiving {
            case .awaitingHead:
                return try receiveResponse(at: place, block, endsStream: endsStream)
            case .body:
                return try receiveTrailers(at: place, block, endsStream: endsStream)
            case .dropping:
                try skip(block)
                if endsStream { endReceiving(at: place) }
            case .ended:
                try skip(block)
                try fail(at: place, .afterEnd)
            }
            return nil
        }
        if role == .server, streamID > numbers.highest {
            return try receiveRequest(streamID, block, endsStream: endsStream)
        }
        try receiveStrayBlock(streamID, block)
        return nil
    }

    private mutating func receiveRequest(
        _ streamID: HTTP2StreamID,
        _ block: ByteBuffer,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        numbers.use(streamID)
        guard canAdmit(streamID) else {
            try refuse(streamID, block)
            return nil
        }
        do throws(HeaderBlockError) {
            let head = try decoder.request(block, endsStream: endsStream)
            var stream = makeStream(streamID)
            stream.method = head.method
            stream.receiving = endsStream ? .ended : .body
            stream.expected = BodyExpectation(head.framing)
            streams.insert(stream)
            if endsStream { following.append(.end(streamID)) }
            return .requestHead(streamID, head, endsStream: endsStream)
        } catch {
            return try refuse(streamID, error, endsStream: endsStream)
        }
    }

    private func canAdmit(_ streamID: HTTP2StreamID) -> Bool {
        streams.count < settings.maxConcurrentStreams && !isIgnored(streamID)
    }

    /// Refuses a stream without looking at its head. One that our GOAWAY does not admit is not even answered
    /// (RFC 9113, section 6.8).
    private mutating func refuse(_ streamID: HTTP2StreamID, _ block: ByteBuffer) throws(HTTP2ConnectionError) {
        try skip(block)
        if isIgnored(streamID) { return }
        writeReset(streamID, code: .refusedStream)
        // Before it has read our settings, a client may open as many as it likes.
        if settingsExchange.stage == .complete { try budgets.spendAbandonedStream() }
    }

    /// Refuses a stream because of its head: by an answer where one makes sense, by a reset otherwise.
    private mutating func refuse(
        _ streamID: HTTP2StreamID,
        _ error: HeaderBlockError,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        if error == .compression { throw .headerBlockCorrupt }
        try budgets.spendAbandonedStream()
        if let status = error.status {
            var stream = makeStream(streamID)
            stream.receiving = endsStream ? .ended : .dropping
            streams.insert(stream)
            return .refused(streamID, error, status: status)
        }
        let streamError = HTTP2StreamError.head(error)
        writeReset(streamID, code: streamError.code)
        return .reset(streamID, streamError.code, error: streamError)
    }

    private mutating func receiveResponse(
        at place: Int,
        _ block: ByteBuffer,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        // A number that is reserved but not used yet is idle for the server.
        let streamID = streams[place].streamID
        guard streams[place].sending != .awaitingHead else { throw .streamIdle }
        let head: ResponseHead
        do throws(HeaderBlockError) {
            head = try decoder.response(block, endsStream: endsStream, to: streams[place].method)
        } catch {
            if error == .compression { throw .headerBlockCorrupt }
            try fail(at: place, .head(error))
            return nil
        }
        if head.isInformational { return try receiveInformational(at: place, head) }
        streams[place].receiving = .body
        streams[place].expected = BodyExpectation(head.framing)
        if endsStream {
            following.append(.end(streamID))
            endReceiving(at: place)
        }
        return .responseHead(streamID, head, endsStream: endsStream)
    }

    private mutating func receiveInformational(
        at place: Int,
        _ head: ResponseHead
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        streams[place].informationalResponses += 1
        if streams[place].informationalResponses > messageLimits.informationalResponses {
            try fail(at: place, .tooManyInformationalResponses)
            return nil
        }
        return .responseHead(streams[place].streamID, head, endsStream: false)
    }

    private mutating func receiveTrailers(
        at place: Int,
        _ block: ByteBuffer,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        guard endsStream else {
            try skip(block)
            try fail(at: place, .trailersWithoutEnd)
            return nil
        }
        let streamID = streams[place].streamID
        let trailers: FieldSection
        do throws(HeaderBlockError) {
            trailers = try decoder.trailers(block)
        } catch {
            if error == .compression { throw .headerBlockCorrupt }
            try fail(at: place, .trailers(error))
            return nil
        }
        do throws(HTTP2StreamError) {
            try streams[place].expected.end()
        } catch {
            try fail(at: place, error)
            return nil
        }
        endReceiving(at: place)
        return .end(streamID, trailers: trailers.isEmpty ? nil : trailers)
    }

    /// A header block for a stream that is closed, or was never opened (RFC 9113, section 5.1).
    private mutating func receiveStrayBlock(
        _ streamID: HTTP2StreamID,
        _ block: ByteBuffer
    ) throws(HTTP2ConnectionError) {
        guard !numbers.isIdle(streamID) else { throw .streamIdle }
        if numbers.hasEnded(streamID) { throw .streamClosed }
        try skip(block)
        if isIgnored(streamID) { return }
        guard role == .client else { throw .streamIDInvalid }
        writeReset(streamID, code: .streamClosed)
    }

    /// Decodes a block for the sake of the table alone.
    private mutating func skip(_ block: ByteBuffer) throws(HTTP2ConnectionError) {
        try budgets.spendIdleFrame(.headers)
        do throws(HeaderBlockError) {
            try decoder.skip(block)
        } catch {
            throw .headerBlockCorrupt
        }
    }
}
