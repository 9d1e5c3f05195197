/// The flow-control window of a connection for what is sent (RFC 9113, section 6.9), and the shares that a client's
/// streams may have of it.
///
/// A server that does not read what one of them sends gives nothing of that back, and by the default of RFC 9113, and
/// by that of many servers, a stream's window is as large as the connection's: one upload would hold up all others.
struct SendWindow: Sendable {
    /// The bytes that may still be sent.
    private(set) var rest = PeerSettings.initialWindow
    /// The most that it has been: what there is of it when the peer has given all of it back.
    private var largest = PeerSettings.initialWindow
    /// The bytes that the streams that are there have taken of it, by their own windows.
    private var held = 0
    /// The sending progress of all streams together.
    private(set) var progress = SendingProgress()

    /// Counts data that is sent.
    mutating func take(_ count: Int, at seconds: Int) {
        rest -= count
        held += count
        progress.note(count, at: seconds)
    }

    /// Counts what the peer has given back of the connection's window.
    mutating func enlarge(by increment: Int) throws(HTTP2ConnectionError) {
        rest += increment
        guard rest <= WindowSize.largest else { throw .windowTooLarge }
        largest = max(largest, rest)
    }

    /// Counts bytes that a stream holds no more: the peer has given them back to it, or it is over.
    mutating func release(_ count: Int) {
        held -= count
    }

    /// Counts the end of all streams at once.
    mutating func releaseAll() {
        held = 0
    }

    /// Indicates whether streams hold so little of the window that another one's body can be sent, however large.
    ///
    /// What is missing may be on its way back, or kept by a peer that gives back half of the window at once; hence what
    /// counts is the streams that are there. What these have not been given back counts for nothing where the
    /// connection has been: many a peer does that at once.
    var hasRoomForBodies: Bool { min(held, largest - rest) <= largest / 4 }

    /// The last quarter of the window, shared out equally. As much of a large window is enough.
    private var reserve: Int { min(largest / 4, 262_144) }

    /// Returns the bytes that a stream may now take. One that is alone may take all of the window; of several, each may
    /// take what is above the reserve, and below that what makes its own part of it complete.
    ///
    /// - Parameters:
    ///   - own: The bytes that it holds.
    ///   - count: The number of streams that share the window.
    func share(holding own: Int, among count: Int) -> Int {
        guard count > 1 else { return rest }
        return min(rest, max(reserve / count - own, rest - reserve))
    }
}
