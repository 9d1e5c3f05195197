/// The shares that a client's streams may have of the connection's window.
///
/// A server that does not read what one of them sends gives nothing of that back, and by the default of RFC 9113, and by
/// that of many servers, a stream's window is as large as the connection's: one upload would hold up all others.
extension HTTP2Connection {
    /// Indicates whether streams hold so little of the connection's window that another one's body can be sent, however
    /// large.
    ///
    /// What is missing may be on its way back, or kept by a peer that gives back half of the window at once; hence what
    /// counts is the streams that are there. What these have not been given back counts for nothing where the
    /// connection has been: many a peer does that at once.
    package var hasRoomForBodies: Bool {
        min(heldBytes, largestSendWindow - sendWindow) <= largestSendWindow / 4
    }

    /// The bytes of the connection's window that none of its streams holds.
    package var freeWindow: Int { sendWindow }

    /// The last quarter of the window, shared out equally. As much of a large window is enough.
    private var reserve: Int { min(largestSendWindow / 4, 262_144) }

    /// The bytes that a stream may now take of the connection's window. One that is alone may take all of it; of several,
    /// each may take what is above the reserve, and below that what makes its own part of it complete.
    func share(at place: Int) -> Int {
        let count = streams.count + expectedStreams
        guard role == .client, count > 1 else { return sendWindow }
        let ownPart = reserve / count - streams[place].heldBytes
        return min(sendWindow, max(ownPart, sendWindow - reserve))
    }
}
