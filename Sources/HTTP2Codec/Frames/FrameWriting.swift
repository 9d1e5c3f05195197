import NIOCore

extension ByteBuffer {
    /// Appends the nine bytes before a payload.
    ///
    /// - Parameter length: Below 2^24.
    mutating func writeFrameHeader(
        length: Int,
        type: FrameType,
        flags: FrameFlags = [],
        streamID: HTTP2StreamID
    ) {
        let front =
            UInt64(truncatingIfNeeded: length) << 40 | UInt64(type.rawValue) << 32 | UInt64(flags.rawValue) << 24
            | UInt64(streamID >> 8)
        self.writeInteger(front)
        self.writeInteger(UInt8(truncatingIfNeeded: streamID))
    }

    mutating func writeResetStream(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        self.writeFrameHeader(length: 4, type: .resetStream, streamID: streamID)
        self.writeInteger(code.rawValue)
    }

    /// - Parameter increment: From 1 to 2^31-1.
    mutating func writeWindowUpdate(_ streamID: HTTP2StreamID, increment: Int) {
        self.writeFrameHeader(length: 4, type: .windowUpdate, streamID: streamID)
        self.writeInteger(UInt32(truncatingIfNeeded: increment))
    }

    mutating func writePing(_ value: UInt64, isAcknowledgement: Bool) {
        self.writeFrameHeader(
            length: 8,
            type: .ping,
            flags: isAcknowledgement ? .acknowledgement : [],
            streamID: .connection
        )
        self.writeInteger(value)
    }

    mutating func writeSettingsAcknowledgement() {
        self.writeFrameHeader(length: 0, type: .settings, flags: .acknowledgement, streamID: .connection)
    }

    mutating func writeSettings(_ settings: [(SettingsParameter, UInt32)]) {
        self.writeFrameHeader(length: 6 * settings.count, type: .settings, streamID: .connection)
        for (parameter, value) in settings {
            self.writeInteger(parameter.rawValue)
            self.writeInteger(value)
        }
    }

    mutating func writeGoAway(lastStreamID: HTTP2StreamID, code: HTTP2ErrorCode, debugText: String = "") {
        self.writeFrameHeader(length: 8 + debugText.utf8.count, type: .goAway, streamID: .connection)
        self.writeInteger(lastStreamID)
        self.writeInteger(code.rawValue)
        self.writeString(debugText)
    }
}
