import HTTP1Codec
import NIOCore

extension HTTP2Connection {
    mutating func advance() throws(HTTP2ConnectionError) -> HTTP2Event? {
        while true {
            if let event = self.following.popFirst() { return event }
            switch self.phase {
            case .header:
                guard try self.readHeader() else { return nil }
            case .payload(let header):
                guard self.input.count >= header.length else { return nil }
                self.phase = .header
                let payload = self.input.take(header.length)
                if let event = try self.receive(header, payload) { return event }
            case .data(let frame):
                guard self.input.count > 0 || frame.rest + frame.padding == 0 else { return nil }
                if let event = try self.readData(frame) { return event }
            case .skipping(let rest):
                guard self.input.count > 0 || rest == 0 else { return nil }
                let count = min(rest, self.input.count)
                self.input.skip(count)
                self.phase = count == rest ? .header : .skipping(rest - count)
            case .preface(let matched):
                guard try self.readPreface(matched) else { return nil }
            }
        }
    }

    /// - Returns: Whether the preface is complete.
    private mutating func readPreface(_ matched: Int) throws(HTTP2ConnectionError) -> Bool {
        let count = min(ConnectionPreface.bytes.count - matched, self.input.count)
        let received = self.input.take(count)
        let bytes = received.readableBytesUInt8Span
        for index in 0..<count where bytes[index] != ConnectionPreface.bytes[matched + index] {
            throw .prefaceMalformed
        }
        let isComplete = matched + count == ConnectionPreface.bytes.count
        self.phase = isComplete ? .header : .preface(matched + count)
        return isComplete
    }

    /// - Returns: Whether a frame header was read.
    private mutating func readHeader() throws(HTTP2ConnectionError) -> Bool {
        guard self.input.count >= FrameHeader.bytes else { return false }
        let header = FrameHeader(self.input.bytes.readableBytesUInt8Span)
        guard header.length <= self.settings.maxFrameSize else { throw .frameTooLarge }
        guard self.hasPeerSettings || header.type == .settings else { throw .settingsMissing }
        if let block = self.unfinishedBlock {
            guard header.type == .continuation, header.streamID == block.streamID else { throw .headersInterrupted }
        }
        if header.type == .data { return try self.beginData(header) }
        self.input.skip(FrameHeader.bytes)
        if header.type == nil {
            try self.spendIdleFrame(header)
            self.phase = .skipping(header.length)
        } else {
            self.phase = .payload(header)
        }
        return true
    }

    private mutating func receive(
        _ header: FrameHeader,
        _ payload: ByteBuffer
    ) throws(HTTP2ConnectionError) -> HTTP2Event? {
        switch header.type {
        case .headers: return try self.receiveHeaders(header, payload)
        case .continuation: return try self.receiveContinuation(header, payload)
        case .windowUpdate: try self.receiveWindowUpdate(header, payload)
        case .resetStream: try self.receiveResetStream(header, payload)
        case .settings: try self.receiveSettings(header, payload)
        case .priority: try self.receivePriority(header)
        case .ping: return try self.receivePing(header, payload)
        case .goAway: return try self.receiveGoAway(header, payload)
        case .pushPromise: throw .pushUnexpected
        case .data, nil: break
        }
        return nil
    }

    /// Counts a frame that moves no stream.
    mutating func spendIdleFrame(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        guard self.idleFrames.spend() else { throw .tooManyIdleFrames(header.type) }
    }
}
