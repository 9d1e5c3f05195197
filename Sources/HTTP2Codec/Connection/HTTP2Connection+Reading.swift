import HTTP1Codec
import NIOCore

extension HTTP2Connection {
    mutating func advance() throws(HTTP2ConnectionError) -> HTTP2Event? {
        while true {
            if let event = following.popFirst() { return event }
            switch phase {
            case .header:
                guard try readHeader() else { return nil }
            case .payload(let header):
                guard input.count >= header.length else { return nil }
                phase = .header
                let payload = input.take(header.length)
                if let event = try receive(header, payload) { return event }
            case .data(let frame):
                guard input.count > 0 || frame.rest + frame.padding == 0 else { return nil }
                if let event = try readData(frame) { return event }
            case .skipping(let rest):
                guard input.count > 0 || rest == 0 else { return nil }
                let count = min(rest, input.count)
                input.skip(count)
                phase = count == rest ? .header : .skipping(rest - count)
            case .preface(let matched):
                guard try readPreface(matched) else { return nil }
            }
        }
    }

    /// - Returns: Whether the preface is complete.
    private mutating func readPreface(_ matched: Int) throws(HTTP2ConnectionError) -> Bool {
        let count = min(ConnectionPreface.bytes.count - matched, input.count)
        let received = input.take(count)
        let bytes = received.readableBytesUInt8Span
        for index in 0..<count where bytes[index] != ConnectionPreface.bytes[matched + index] {
            throw .prefaceMalformed
        }
        let isComplete = matched + count == ConnectionPreface.bytes.count
        phase = isComplete ? .header : .preface(matched + count)
        return isComplete
    }

    /// - Returns: Whether a frame header was read.
    private mutating func readHeader() throws(HTTP2ConnectionError) -> Bool {
        guard input.count >= FrameHeader.bytes else { return false }
        let header = FrameHeader(input.bytes.readableBytesUInt8Span)
        guard header.length <= settings.maxFrameSize else { throw .frameTooLarge }
        guard hasPeerSettings || header.type == .settings else { throw .settingsMissing }
        if let block = unfinishedBlock {
            guard header.type == .continuation, header.streamID == block.streamID else { throw .headersInterrupted }
        }
        if header.type == .data { return try beginData(header) }
        input.skip(FrameHeader.bytes)
        if header.type == nil {
            try budgets.spendIdleFrame(header.type)
            phase = .skipping(header.length)
        } else {
            phase = .payload(header)
        }
        return true
    }

    private mutating func receive(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        switch header.type {
        case .headers: return try receiveHeaders(header, payload)
        case .continuation: return try receiveContinuation(header, payload)
        case .windowUpdate: try receiveWindowUpdate(header, payload)
        case .resetStream: try receiveResetStream(header, payload)
        case .settings: try receiveSettings(header, payload)
        case .priority: try receivePriority(header)
        case .ping: return try receivePing(header, payload)
        case .goAway: return try receiveGoAway(header, payload)
        case .pushPromise: throw .pushUnexpected
        case .data, nil: break
        }
        return nil
    }
}

/// The place of an `HTTP2Connection` in the bytes from the peer.
enum ReadingPhase: Sendable {
    /// The connection preface, after that many bytes of it.
    case preface(Int)
    case header
    case payload(FrameHeader)
    case data(IncomingData)
    /// A payload that nobody needs, of which that many bytes are yet to come.
    case skipping(Int)
}

/// The rest of a DATA frame, which is handed on as it arrives.
struct IncomingData: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    /// Indicates whether the data goes to the caller.
    let isDelivered: Bool
    /// Bytes of data yet to come, before the padding.
    var rest: Int
    var padding: Int
}

/// A header block whose CONTINUATION frames are yet to come (RFC 9113, section 4.3).
struct UnfinishedBlock: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    var bytes: ByteBuffer
    var continuations = 0
}
