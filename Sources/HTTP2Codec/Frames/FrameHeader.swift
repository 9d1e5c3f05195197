import NIOCore

/// The nine bytes before each payload (RFC 9113, section 4.1).
struct FrameHeader: Sendable {
    static let bytes = 9

    /// Of the payload.
    let length: Int
    /// `nil` for a type that is not understood.
    let type: FrameType?
    let flags: FrameFlags
    let streamID: HTTP2StreamID

    /// - Parameter bytes: At least nine.
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
