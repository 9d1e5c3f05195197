import HTTP2Codec

/// A client's HTTP/2 connection, as its handler and its streams share it: what comes is the handler's, what is sent may be
/// of either.
final class HTTP2Wire {
    var connection: HTTP2Connection
    /// The rest of ``BodyWindow/spare``.
    private var spareWindow = BodyWindow.spare

    init(_ connection: HTTP2Connection) {
        self.connection = connection
    }

    /// Gives back what was taken of a stream's window.
    ///
    /// - Parameter hasCaughtUp: Whether nothing that has come waits to be taken.
    func giveBack(_ window: inout BodyWindow, of id: HTTP2StreamID, hasCaughtUp: Bool) {
        window.taken(id, on: &connection, hasCaughtUp: hasCaughtUp, spare: &spareWindow)
    }

    /// Gives back what a stream's window has of the spare bytes. Nothing of it is held any more.
    func release(_ window: inout BodyWindow) {
        window.release(to: &spareWindow)
    }
}

@available(*, unavailable)
extension HTTP2Wire: Sendable {}
