import NIOCore

/// Buffers of one event loop that are filled anew for the head of each response.
final class ResponseScratch {
    var response = HeadBuffer()
    /// The client whose bytes ``response`` holds; nil: nobody's, whatever it holds.
    var owner: (any ExchangeClient)?
    /// Field lines to append.
    var fields = ByteBuffer()
}

@available(*, unavailable)
extension ResponseScratch: Sendable {}
