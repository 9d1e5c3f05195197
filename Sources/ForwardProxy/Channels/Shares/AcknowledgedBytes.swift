/// The number of bytes that the other end of a connection has taken: of what the system holds for it, that tells more
/// than the number that the system takes, which is in steps of megabytes.
struct AcknowledgedBytes {
    private var seen: UInt64 = 0

    /// - Parameter bytes: Those that were acknowledged since the connection began.
    /// - Returns: Whether there is ``Progress`` since this was last true.
    mutating func hasGrown(to bytes: UInt64) -> Bool {
        guard bytes >= seen + UInt64(Progress.least) else { return false }
        seen = bytes
        return true
    }
}
