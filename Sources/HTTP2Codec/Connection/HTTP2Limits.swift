package import HTTP1Codec

/// Upper bounds that keep one peer from holding memory or time by frames that carry nothing.
///
/// What a peer may do again and again is counted against progress: the count falls with each stream that completes,
/// with DATA that passes, and with each second that `HTTP2Connection.tick(seconds:)` reports. Reaching a bound ends the
/// connection with ENHANCE_YOUR_CALM.
package struct HTTP2Limits: Sendable, Equatable {
    /// Bytes of one header block as they come, before they are decompressed. A block above the limit for a message
    /// head is refused with 431; above this one its rest is not read any more.
    package var headerBlockBytes = 131_072
    /// CONTINUATION frames of one header block (CVE-2024-27316 and its like).
    package var continuationFrames = 32
    /// Parameters in one SETTINGS frame.
    package var settingsParameters = 32
    /// Answers to PING and SETTINGS that wait in the output because the caller does not take it (CVE-2019-9512,
    /// CVE-2019-9515).
    package var waitingAnswers = 512
    /// Streams that ended without an answer because the client reset them (CVE-2023-44487), or because the peer made us
    /// reset them (CVE-2025-8671). A completed stream takes one off.
    package var abandonedStreams = 500
    package var abandonedStreamsPerSecond = 50
    /// Frames that neither begin nor move a stream: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA and
    /// CONTINUATION frames, types that are not understood, frames for streams that are closed.
    package var idleFrames = 1_000
    package var idleFramesPerSecond = 100

    package init() {}

    /// Makes limits with bounds for header blocks that leave room for heads of the size that messages may have, and
    /// more.
    package init(for messageLimits: MessageLimits) {
        headerBlockBytes = max(headerBlockBytes, 2 * messageLimits.headerBytes)
        // Pieces of a quarter of the least size that a peer must be able to take.
        continuationFrames = max(continuationFrames, headerBlockBytes / 4_096)
    }
}
