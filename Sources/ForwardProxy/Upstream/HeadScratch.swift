import NIOCore

/// Buffers of one event loop that are emptied and filled again for each head: as long as the last one has left, that
/// costs no allocation.
final class HeadScratch {
    var request = ByteBuffer()
    var response = ByteBuffer()
    /// Whose octets ``response`` holds; nil when it is empty.
    var responseOwner: ClientHandler?
    /// Field lines to append.
    var fields = ByteBuffer()
}

@available(*, unavailable)
extension HeadScratch: Sendable {}
