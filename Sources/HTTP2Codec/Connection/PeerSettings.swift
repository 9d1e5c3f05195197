/// The settings that the peer has announced, and the values that hold before it does (RFC 9113, section 6.5.2).
struct PeerSettings: Sendable {
    static let initialWindow = 65_535

    var initialWindow = Self.initialWindow
    var maxFrameSize = 16_384
    var maxConcurrentStreams = Int.max
}
