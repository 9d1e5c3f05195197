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
        writeInteger(front)
        writeInteger(UInt8(truncatingIfNeeded: streamID))
    }

    mutating func writeResetStream(_ streamID: HTTP2StreamID, code: HTTP2ErrorCode) {
        writeFrameHeader(length: 4, type: .resetStream, streamID: streamID)
        writeInteger(code.rawValue)
    }

    /// - Parameter increment: The number of bytes, from 1 to 2^31-1.
    mutating func writeWindowUpdate(_ streamID: HTTP2StreamID, increment: Int) {
        writeFrameHeader(length: 4, type: .windowUpdate, streamID: streamID)
        writeInteger(UInt32(truncatingIfNeeded: increment))
    }

    mutating func writePing(_ value: UInt64, isAcknowledgement: Bool) {
        writeFrameHeader(
            length: 8,
            type: .ping,
            flags: isAcknowledgement ? .acknowledgement : [],
            streamID: .connection
        )
        writeInteger(value)
    }

    mutating func writeSettingsAcknowledgement() {
        writeFrameHeader(length: 0, type: .settings, flags: .acknowledgement, streamID: .connection)
    }

    mutating func writeSettings(_ settings: [(SettingsParameter, UInt32)]) {
        writeFrameHeader(length: 6 * settings.count, type: .settings, streamID: .connection)
        for (parameter, value) in settings {
            writeInteger(parameter.rawValue)
            writeInteger(value)
        }
    }

    mutating func writeGoAway(lastStreamID: HTTP2StreamID, code: HTTP2ErrorCode, debugText: String = "") {
        writeFrameHeader(length: 8 + debugText.utf8.count, type: .goAway, streamID: .connection)
        writeInteger(lastStreamID)
        writeInteger(code.rawValue)
        writeString(debugText)
    }
}
