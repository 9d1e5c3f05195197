import HTTP1Codec
import NIOCore

/// SETTINGS both ways (RFC 9113, section 6.5).
extension HTTP2Connection {
    mutating func writeBeginning() {
        var settings: [(SettingsParameter, UInt32)] = [
            (.initialWindowSize, UInt32(clamping: self.settings.initialWindow)),
            (.maxFrameSize, UInt32(clamping: self.settings.maxFrameSize)),
            (.maxHeaderListSize, UInt32(clamping: messageLimits.headerBytes)),
        ]
        switch role {
        case .client:
            output.buffer.writeStaticString(ConnectionPreface.text)
            settings.append((.enablePush, 0))
        case .server:
            settings.append((.maxConcurrentStreams, UInt32(clamping: self.settings.maxConcurrentStreams)))
        }
        output.buffer.writeSettings(settings)
        let increment = self.settings.connectionWindow - PeerSettings.initialWindow
        if increment > 0 { output.buffer.writeWindowUpdate(.connection, increment: increment) }
    }

    mutating func receiveSettings(_ header: FrameHeader, _ payload: ByteBuffer) throws(HTTP2ConnectionError) {
        guard header.streamID == .connection else { throw .streamIDMisplaced }
        if header.flags.contains(.acknowledgement) { return try receiveAcknowledgement(header) }
        guard header.length % 6 == 0 else { throw .frameSizeWrong }
        guard header.length / 6 <= limits.settingsParameters else { throw .tooManySettings }
        if hasPeerSettings {
            try budgets.spendIdleFrame(header.type)
        } else {
            settingsExchange = .awaitingAcknowledgement
        }
        var payload = payload
        while let (parameter, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
            try apply(parameter, value)
        }
        try budgets.addWaitingAnswer()
        output.buffer.writeSettingsAcknowledgement()
        // Only now, so that what a larger window lets out comes after the acknowledgement.
        sendKept()
    }

    private mutating func receiveAcknowledgement(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        guard hasPeerSettings else { throw .settingsMissing }
        guard header.length == 0 else { throw .frameSizeWrong }
        if settingsExchange == .complete { return try budgets.spendIdleFrame(header.type) }
        settingsExchange = .complete
        // From here on the peer counts with our window; it may be smaller than what came already.
        let difference = settings.initialWindow - PeerSettings.initialWindow
        for place in streams.places {
            streams[place].window += difference
            streams[place].receiveWindow += difference
            giveBack(at: place)
        }
    }

    private mutating func apply(_ parameter: UInt16, _ value: UInt32) throws(HTTP2ConnectionError) {
        switch SettingsParameter(rawValue: parameter) {
        case .headerTableSize:
            encoder.peerTableLimit(Int(value))
        case .enablePush:
            guard value == 0 || (value == 1 && role == .server) else { throw .settingInvalid }
        case .maxConcurrentStreams:
            peer.maxConcurrentStreams = Int(value)
        case .initialWindowSize:
            try applyInitialWindow(Int(value))
        case .maxFrameSize:
            guard (16_384...16_777_215).contains(value) else { throw .settingInvalid }
            peer.maxFrameSize = Int(value)
        case .maxHeaderListSize:
            // Advisory: a peer that minds answers with 431 or a reset, which reaches whoever sent the head.
            break
        case .noRFC7540Priorities:
            guard value <= 1 else { throw .settingInvalid }
        case nil:
            break
        }
    }

    /// Changes the windows of all streams, which may fall below 0 (RFC 9113, section 6.9.2).
    private mutating func applyInitialWindow(_ window: Int) throws(HTTP2ConnectionError) {
        guard window <= WindowSize.largest else { throw .initialWindowTooLarge }
        let difference = window - peer.initialWindow
        peer.initialWindow = window
        for place in streams.places {
            streams[place].sendWindow += difference
            guard streams[place].sendWindow <= WindowSize.largest else { throw .initialWindowTooLarge }
            queueIfReady(at: place)
        }
    }
}
