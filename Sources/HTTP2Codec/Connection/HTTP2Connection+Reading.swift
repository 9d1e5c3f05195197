import NIOCore

extension HTTP2Connection {
    mutating func advance() throws(HTTP2ConnectionError) -> HTTP2Event? {
        while true {
            if let event = following.popFirst() { return event }
            switch frames.phase {
            case .header:
                guard try readHeader() else { return nil }
            case .payload(let header):
                guard let payload = frames.takePayload(header) else { return nil }
                if let event = try receive(header, payload) { return event }
            case .data(let frame):
                switch frames.readData(frame) {
                case .bytes(let bytes):
                    if frame.isDelivered, isReceivingBody(frame.streamID) { return .data(frame.streamID, bytes) }
                case .end:
                    if frame.endsStream, let event = try endData(frame.streamID) { return event }
                case nil:
                    return nil
                }
            case .skipping(let rest):
                guard frames.skip(rest) else { return nil }
            case .preface(let matched):
                guard try frames.readPreface(matched) else { return nil }
            }
        }
    }

    /// - Returns: Whether a frame header was read.
    private mutating func readHeader() throws(HTTP2ConnectionError) -> Bool {
        guard let header = try frames.header(maxFrameSize: settings.maxFrameSize) else { return false }
        guard hasPeerSettings || header.type == .settings else { throw .settingsMissing }
        switch header.type {
        case .data:
            return try beginData(header)
        case nil:
            try budgets.spendIdleFrame(nil)
            frames.beginSkipping(header)
        case .headers, .priority, .resetStream, .settings, .pushPromise, .ping, .goAway, .windowUpdate, .continuation:
            frames.beginPayload(header)
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
