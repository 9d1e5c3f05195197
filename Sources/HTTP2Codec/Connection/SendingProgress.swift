/// The time since which a peer has taken nothing worth mentioning, by the connection's count of seconds.
struct SendingProgress: Sendable {
    /// Bytes below which what was taken is a trickle, and no progress.
    private static let least = 1_024

    private(set) var stalledSince = 0
    private var sentSinceStall = 0

    mutating func note(_ count: Int, at seconds: Int) {
        sentSinceStall += count
        if sentSinceStall >= Self.least { restart(at: seconds) }
    }

    mutating func restart(at seconds: Int) {
        stalledSince = seconds
        sentSinceStall = 0
    }
}
