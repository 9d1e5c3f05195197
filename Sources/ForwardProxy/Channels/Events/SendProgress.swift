import NIOCore

/// The observation of whether a peer takes what is written to it. The system tells that only in large steps, and the
/// first of them cannot be told from none.
struct SendProgress {
    private var unsentBefore = 0

    /// Begins anew, with nothing written.
    mutating func reset() {
        unsentBefore = 0
    }

    /// Returns whether the peer may have taken some of it since this was asked the last time.
    ///
    /// - Parameter unsent: The number of bytes that are written, and that the system has not sent.
    mutating func hasMoved(unsent: Int) -> Bool {
        defer { unsentBefore = unsent }
        return unsent > 0 && unsent != unsentBefore
    }
}

/// The record of when a peer was last seen to take what is written to it, for those who ask at different times.
struct SendActivity {
    private var progress = SendProgress()
    private var lastMoved: NIODeadline = .distantPast

    /// Returns whether the peer may have taken some of it lately.
    ///
    /// - Parameters:
    ///   - unsent: The number of bytes that are written, and that the system has not sent.
    ///   - time: The time for which having taken some counts.
    mutating func isRecent(unsent: Int, at now: NIODeadline, within time: TimeAmount) -> Bool {
        if progress.hasMoved(unsent: unsent) { lastMoved = now }
        return unsent > 0 && now - lastMoved < time
    }
}
