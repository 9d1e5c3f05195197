import NIOCore

/// Buffers of one event loop that are filled anew for the head of each request.
final class HeadScratch {
    var request = HeadBuffer()
    /// Field lines to append.
    var fields = ByteBuffer()
}

@available(*, unavailable)
extension HeadScratch: Sendable {}
