import NIOCore

/// The nine bytes before each payload (RFC 9113, section 4.1).
struct FrameHeader: Sendable {
    static let bytes = 9

    /// The length of the payload, in bytes.
    let length: Int
    /// The type; nil for one that is not understood.
    let type: FrameType?
    let flags: FrameFlags
    let streamID: HTTP2StreamID

    /// - Parameter bytes: The nine bytes of the header; more may follow.
    init(_ bytes: Span<UInt8>) {
        length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        type = FrameType(rawValue: bytes[3])
        flags = FrameFlags(rawValue: bytes[4])
        streamID = bytes.integer(at: 5) & HTTP2StreamID.last
    }
}

extension Span<UInt8> {
    /// Four bytes in network byte order.
    func integer(at position: Int) -> UInt32 {
        UInt32(self[position]) << 24 | UInt32(self[position &+ 1]) << 16 | UInt32(self[position &+ 2]) << 8
            | UInt32(self[position &+ 3])
    }
}

/// The frame types that are understood (RFC 9113, section 6); any other is skipped.
package enum FrameType: UInt8, Sendable {
    case data = 0x0
    case headers = 0x1
    case priority = 0x2
    case resetStream = 0x3
    case settings = 0x4
    case pushPromise = 0x5
    case ping = 0x6
    case goAway = 0x7
    case windowUpdate = 0x8
    case continuation = 0x9
}

/// The flags of a frame; what a bit means depends on the frame's type (RFC 9113, section 6).
struct FrameFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let endStream = FrameFlags(rawValue: 0x01)
    /// The acknowledgement of SETTINGS and PING.
    static let acknowledgement = FrameFlags(rawValue: 0x01)
    static let endHeaders = FrameFlags(rawValue: 0x04)
    static let padded = FrameFlags(rawValue: 0x08)
    static let priority = FrameFlags(rawValue: 0x20)
}

/// The number of a stream: odd for those that a client opens, 0 for the connection itself (RFC 9113, section 5.1.1).
package typealias HTTP2StreamID = UInt32

extension HTTP2StreamID {
    static let connection: HTTP2StreamID = 0
    static let last: HTTP2StreamID = 0x7FFF_FFFF

    var isOfClient: Bool { self & 1 == 1 }
}
