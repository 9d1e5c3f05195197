import NIOCore

/// The progress of a connection: what counts is how much has moved lately, and not that there was a sign of life.
struct Progress {
    /// Bytes that have to move for it to be progress.
    static let least = 4 * 1024

    /// The time at which it was made last.
    private(set) var lastMade: NIODeadline
    private var bytes: Int32 = 0
    private var unsent: Int32 = 0

    init(begun: NIODeadline) {
        lastMade = begun
    }

    /// Begins anew with a request, while no other one is in flight.
    ///
    /// - Parameters:
    ///   - backlog: The record of the answers before it.
    ///   - unsent: The number of bytes that the client has not taken of what was to be sent.
    mutating func requestBegan(at now: NIODeadline, behind backlog: Backlog, unsent: @autoclosure () -> Int) {
        // Whoever does not take answers makes no progress by asking for more of them.
        if backlog.lastTaken != nil, unsent() > 0 { return }
        self = Progress(begun: now)
    }

    /// Notes that it was made.
    mutating func made(at now: NIODeadline) {
        bytes = 0
        lastMade = now
    }

    /// Notes that something has come through.
    mutating func moved(_ count: Int, at now: NIODeadline) {
        bytes += Int32(min(count, Self.least))
        guard bytes >= Self.least else { return }
        made(at: now)
    }

    /// Notes, from time to time, what still waits to be taken: that it has become less is progress too.
    mutating func observe(unsent: Int, at now: NIODeadline) {
        let unsent = Int32(clamping: unsent)
        guard abs(unsent - self.unsent) >= Self.least else { return }
        self.unsent = unsent
        lastMade = now
    }
}

/// The number of bytes that the other end of a connection has taken: of what the system holds for it, that tells more
/// than the number that the system takes, which is in steps of megabytes.
struct AcknowledgedBytes {
    private var seen: UInt64 = 0

    /// - Parameter bytes: The number of bytes that were acknowledged since the connection began.
    /// - Returns: Whether there is ``Progress`` since this was last true.
    mutating func hasGrown(to bytes: UInt64) -> Bool {
        guard bytes >= seen + UInt64(Progress.least) else { return false }
        seen = bytes
        return true
    }
}
