import NIOCore

/// Buffers of one event loop that are filled anew for each head.
final class HeadScratch {
    var request = HeadBuffer()
    var response = HeadBuffer()
    /// Whose octets ``response`` holds; nil: nobody's, whatever it holds.
    var responseOwner: ClientHandler?
    /// Field lines to append.
    var fields = ByteBuffer()
}

@available(*, unavailable)
extension HeadScratch: Sendable {}
