import NIOCore

/// The nine octets before each payload (RFC 9113, section 4.1).
struct FrameHeader: Sendable {
    static let octets = 9

    /// Of the payload.
    let length: Int
    /// `nil` for a type that is not understood.
    let type: FrameType?
    let flags: FrameFlags
    let streamID: HTTP2StreamID

    /// - Parameter octets: At least nine.
    init(_ octets: Span<UInt8>) {
        self.length = Int(octets[0]) << 16 | Int(octets[1]) << 8 | Int(octets[2])
        self.type = FrameType(rawValue: octets[3])
        self.flags = FrameFlags(rawValue: octets[4])
        self.streamID = octets.integer(at: 5) & HTTP2StreamID.last
    }
}

extension Span<UInt8> {
    /// Four octets in network byte order.
    func integer(at position: Int) -> UInt32 {
        UInt32(self[position]) << 24 | UInt32(self[position &+ 1]) << 16 | UInt32(self[position &+ 2]) << 8
            | UInt32(self[position &+ 3])
    }
}
