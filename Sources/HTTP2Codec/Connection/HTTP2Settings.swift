/// The settings that this side announces in its SETTINGS frame and keeps to itself (RFC 9113, section 6.5.2).
package struct HTTP2Settings: Sendable, Equatable {
    /// Streams that are open at once. A server announces it and refuses more; a client opens no more, even if the
    /// server would allow it.
    package var maxConcurrentStreams = 100
    /// Bytes of DATA that a peer may send on a new stream before the caller reports some as consumed; at most 2^31-1.
    package var initialWindow = 65_536
    /// The size that this may grow to for one stream, where the caller lets it; at most 2^31-1.
    package var largestWindow = 524_288
    /// The same for the whole connection, where bytes are given back as they arrive; from 65,535 to 2^31-1.
    package var connectionWindow = 1_048_576
    /// The largest payload of a frame that is accepted; from 16,384 to 2^24-1.
    package var maxFrameSize = 16_384

    package init() {}
}

/// The settings that the peer has announced, and the values that hold before it does (RFC 9113, section 6.5.2).
struct PeerSettings: Sendable {
    static let initialWindow = 65_535

    var initialWindow = Self.initialWindow
    var maxFrameSize = 16_384
    var maxConcurrentStreams = Int.max
}

/// The bounds of flow-control windows (RFC 9113, section 6.9.1).
enum WindowSize {
    static let largest = 2_147_483_647
}
