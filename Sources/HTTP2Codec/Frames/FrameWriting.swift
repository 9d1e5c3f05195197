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

    /// - Parameter increment: From 1 to 2^31-1.
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

/// The settings that are understood (RFC 9113, section 6.5.2; RFC 9218, section 2.1); any other is ignored.
enum SettingsParameter: UInt16, Sendable {
    case headerTableSize = 0x1
    case enablePush = 0x2
    case maxConcurrentStreams = 0x3
    case initialWindowSize = 0x4
    case maxFrameSize = 0x5
    case maxHeaderListSize = 0x6
    case noRFC7540Priorities = 0x9
}

/// The bytes that a client sends before its first frame (RFC 9113, section 3.4).
enum ConnectionPreface {
    static let text: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
}
