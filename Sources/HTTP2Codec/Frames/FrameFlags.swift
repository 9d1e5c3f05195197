/// The flags of a frame; what a bit means depends on the frame's type (RFC 9113, section 6).
struct FrameFlags: OptionSet, Sendable {
    let rawValue: UInt8

    static let endStream = FrameFlags(rawValue: 0x01)
    /// Of SETTINGS and PING.
    static let acknowledgement = FrameFlags(rawValue: 0x01)
    static let endHeaders = FrameFlags(rawValue: 0x04)
    static let padded = FrameFlags(rawValue: 0x08)
    static let priority = FrameFlags(rawValue: 0x20)
}
