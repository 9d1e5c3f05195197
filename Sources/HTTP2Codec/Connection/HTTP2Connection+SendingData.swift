package import HTTP1Codec
package import NIOCore

/// DATA and trailers to the peer, as far as the windows allow (RFC 9113, sections 5.2 and 6.1).
extension HTTP2Connection {
    /// Sends bytes of a body after its head. What exceeds the windows is kept, in order.
    package mutating func sendData(_ streamID: HTTP2StreamID, _ bytes: ByteBuffer, endsStream: Bool) {
        guard let place = streams.place(of: streamID), streams[place].sending == .body else { return }
        var rest = bytes
        if streams[place].kept.isEmpty {
            if writeData(at: place, &rest, endsStream: endsStream) {
                if endsStream { endSending(at: place) }
                return
            }
            streams[place].progress.restart(at: seconds)
        }
        streams[place].kept.append(rest)
        if endsStream { endKept(at: place, .endStream) }
        queueIfReady(at: place)
    }

    /// Ends a body with a trailer section, once everything before it has been sent.
    package mutating func sendTrailers(_ streamID: HTTP2StreamID, _ trailers: FieldSection) {
        if trailers.isEmpty { return sendData(streamID, ByteBuffer(), endsStream: true) }
        guard let place = streams.place(of: streamID), streams[place].sending == .body else { return }
        guard streams[place].kept.isEmpty else { return endKept(at: place, .trailers(trailers)) }
        writeTrailers(streamID, trailers)
        endSending(at: place)
    }

    /// The bytes that are kept for a stream; while there are any, send no more.
    package func pendingBytes(_ streamID: HTTP2StreamID) -> Int {
        streams.place(of: streamID).map { streams[$0].kept.bytes } ?? 0
    }

    /// Puts a stream in the queue for the connection's window, if that is all it waits for.
    mutating func queueIfReady(at place: Int) {
        guard !streams[place].isQueued, !streams[place].kept.isEmpty, streams[place].sendWindow > 0
        else { return }
        streams[place].isQueued = true
        turns.append(streams[place].streamID)
    }

    /// Sends what is kept, one frame of each stream in turn, until the connection's window, or what each of them may
    /// have of it, is used up.
    mutating func sendKept() {
        var inVain = 0
        while sendWindow.rest > 0, inVain < turns.count, let streamID = turns.popFirst() {
            guard let place = streams.place(of: streamID) else { continue }
            streams[place].isQueued = false
            inVain = sendKeptFrame(at: place) ? 0 : inVain + 1
        }
    }

    /// - Returns: Whether all bytes were sent, and with them the end of the stream if there is one.
    private mutating func writeData(at place: Int, _ rest: inout ByteBuffer, endsStream: Bool) -> Bool {
        if rest.readableBytes == 0 {
            if endsStream { writeDataHeader(at: place, count: 0, endsStream: true) }
            return true
        }
        while rest.readableBytes > 0 {
            let count = frameCapacity(at: place, bytes: rest.readableBytes)
            guard count > 0 else { return false }
            writeDataHeader(at: place, count: count, endsStream: endsStream && count == rest.readableBytes)
            output.buffer.writeBytes(rest.readableBytesSpan.extracting(first: count))
            rest.moveReaderIndex(forwardBy: count)
        }
        budgets.dataSentAtOnce()
        return true
    }

    /// - Returns: Whether there was anything that may be sent.
    private mutating func sendKeptFrame(at place: Int) -> Bool {
        let kept = streams[place].kept.bytes
        let count = frameCapacity(at: place, bytes: kept)
        guard count > 0 else {
            queueIfReady(at: place)
            return false
        }
        let isLast = count == kept
        var endsStream = false
        if isLast, case .endStream = streams[place].kept.end { endsStream = true }
        writeDataHeader(at: place, count: count, endsStream: endsStream)
        streams[place].kept.write(count, into: &output.buffer)
        if isLast {
            finishKept(at: place)
        } else {
            streams[place].progress.note(count, at: seconds)
            queueIfReady(at: place)
        }
        return true
    }

    private mutating func finishKept(at place: Int) {
        let streamID = streams[place].streamID
        following.append(.writable(streamID))
        switch streams[place].kept.end {
        case .open:
            return
        case .endStream:
            endSending(at: place)
        case .trailers(let trailers):
            writeTrailers(streamID, trailers)
            endSending(at: place)
        }
    }

    private mutating func endKept(at place: Int, _ end: KeptData.End) {
        streams[place].kept.end = end
        streams[place].sending = .ending
    }

    /// The bytes of the largest DATA frame that may be sent now. A peer may allow frames of 16 MiB, but one stream
    /// must not hold up the others for so long.
    private func frameCapacity(at place: Int, bytes: Int) -> Int {
        min(bytes, share(at: place), streams[place].sendWindow, settingsExchange.peer.maxFrameSize, 65_536)
    }

    private mutating func writeDataHeader(at place: Int, count: Int, endsStream: Bool) {
        output.buffer.reserveCapacity(minimumWritableBytes: count + FrameHeader.bytes)
        output.buffer.writeFrameHeader(
            length: count,
            type: .data,
            flags: endsStream ? .endStream : [],
            streamID: streams[place].streamID
        )
        sendWindow.take(count, at: seconds)
        streams[place].sendWindow -= count
        streams[place].heldBytes += count
        budgets.dataPassed(count)
    }
}

/// Streams that have bytes to send and wait only for the connection's window, each at most once, served in turn.
struct TurnQueue: Sendable {
    private var streamIDs: [HTTP2StreamID] = []
    private var first = 0

    var isEmpty: Bool { first == streamIDs.count }
    var count: Int { streamIDs.count - first }

    mutating func append(_ streamID: HTTP2StreamID) {
        streamIDs.append(streamID)
    }

    mutating func popFirst() -> HTTP2StreamID? {
        guard !isEmpty else { return nil }
        let streamID = streamIDs[first]
        first += 1
        if isEmpty || first > 64 {
            streamIDs.removeFirst(first)
            first = 0
        }
        return streamID
    }

    mutating func remove(_ streamID: HTTP2StreamID) {
        streamIDs.removeSubrange(..<first)
        first = 0
        streamIDs.removeAll { $0 == streamID }
    }
}
