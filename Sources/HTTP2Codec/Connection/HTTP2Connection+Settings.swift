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
        if !settingsExchange.beginPeerSettings() { try budgets.spendIdleFrame(header.type) }
        var payload = payload
        while let (parameter, value) = payload.readMultipleIntegers(as: (UInt16, UInt32).self) {
            switch try settingsExchange.apply(parameter, value, role: role) {
            case .tableLimit(let size): encoder.peerTableLimit(size)
            case .streamWindows(let difference): try changeWindows(by: difference)
            case nil: break
            }
        }
        try budgets.addWaitingAnswer()
        output.buffer.writeSettingsAcknowledgement()
        // Only now, so that what a larger window lets out comes after the acknowledgement.
        sendKept()
    }

    private mutating func receiveAcknowledgement(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        guard hasPeerSettings else { throw .settingsMissing }
        guard header.length == 0 else { throw .frameSizeWrong }
        guard settingsExchange.acknowledge() else { return try budgets.spendIdleFrame(header.type) }
        // From here on the peer counts with our window; it may be smaller than what came already.
        let difference = settings.initialWindow - PeerSettings.initialWindow
        for place in streams.places {
            streams[place].window += difference
            streams[place].receiveWindow += difference
            giveBack(at: place)
        }
    }

    /// Changes the windows of all streams, which may fall below 0 (RFC 9113, section 6.9.2).
    private mutating func changeWindows(by difference: Int) throws(HTTP2ConnectionError) {
        for place in streams.places {
            streams[place].sendWindow += difference
            guard streams[place].sendWindow <= WindowSize.largest else { throw .initialWindowTooLarge }
            queueIfReady(at: place)
        }
    }
}
