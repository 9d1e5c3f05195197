import NIOCore

/// Buffers of one event loop that are filled anew for the head of each response.
final class ResponseScratch {
    var response = HeadBuffer()
    /// The client whose bytes ``response`` holds; nil: nobody's, whatever it holds.
    private var owner: (any ExchangeClient)?
    /// Field lines to append.
    var fields = ByteBuffer()

    /// To be called before anything is written into ``response``: an upstream connection may bring bytes for several
    /// clients of the event loop at once.
    func claim(for client: any ExchangeClient) {
        guard owner !== client else { return }
        owner?.writeGathered()
        owner = client
        response.bytes.clear()
    }

    /// Takes ``response`` from a client: it is free for others.
    ///
    /// - Returns: False when it was not the client's.
    func release(by client: any ExchangeClient) -> Bool {
        guard owner === client else { return false }
        owner = nil
        return true
    }
}

@available(*, unavailable)
extension ResponseScratch: Sendable {}
