import HTTP2Codec

/// The bytes that one stream may receive before they are passed on: a few at first, and more while the other side keeps
/// up.
///
/// What has come counts as received until the other side is ready for more. One that takes nothing thus makes us hold
/// no more than the window.
struct BodyWindow {
    /// Bytes by which all the windows of one connection together may be larger than they were at first.
    static let spare = 2 * 1024 * 1024

    /// The bytes that have been passed on and may be kept there.
    private var untaken = 0
    private var grown = 0

    mutating func passedOn(_ bytes: Int) {
        untaken += bytes
    }

    /// Gives back what was passed on, to be called when the other side is ready for more.
    /// - Parameters:
    ///   - hasCaughtUp: Whether nothing waits to be passed on.
    ///   - spare: The spare bytes that the connection has left.
    mutating func taken(
        _ id: HTTP2StreamID,
        on connection: inout HTTP2Connection,
        hasCaughtUp: Bool,
        spare: inout Int
    ) {
        guard untaken > 0 else { return }
        let growth = connection.consumed(id, bytes: untaken, spare: hasCaughtUp ? spare : 0)
        untaken = 0
        grown += growth
        spare -= growth
    }

    /// Gives the spare bytes back. Called when nothing is held any more.
    mutating func release(to spare: inout Int) {
        spare += grown
        grown = 0
    }
}
