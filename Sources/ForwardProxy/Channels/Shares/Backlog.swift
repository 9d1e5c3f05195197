import NIOCore

/// The record of whether a client takes what was written for it, which is seen only when somebody looks.
struct Backlog {
    private var acknowledged = AcknowledgedBytes()
    /// The time at which it was last seen to have taken some, or when something was first seen to wait; nil: nothing
    /// does.
    private(set) var lastTaken: NIODeadline?
    /// Bytes that were written since the client was last seen to have all of them, or nearly all.
    private var written = 0

    mutating func note(written bytes: Int) { written += bytes }

    /// Looks at what the system has taken, and the client has not: as much as fits its buffers.
    ///
    /// - Returns: ``lastTaken``; nil when the client has, or soon has, all.
    mutating func observe(_ channel: any Channel, at now: NIODeadline) -> NIODeadline? {
        let usual = type(of: channel).usuallyUnacknowledged
        // Most answers are smaller, and there may be thousands of clients.
        guard written > usual / 2 else { return nil }
        let unacknowledged = channel.unacknowledgedBytes
        if unacknowledged <= usual {
            written = 0
            return nil
        }
        return observe(unacknowledged, acknowledged: channel.acknowledgedBytes, at: now)
    }

    /// - Parameters:
    ///   - bytes: How many wait to be taken by the system. There are none as soon as it has all, though the client has
    ///     not.
    ///   - acknowledged: How many the client has acknowledged in all.
    /// - Returns: ``lastTaken``.
    mutating func observe(_ bytes: Int, acknowledged: UInt64, at now: NIODeadline) -> NIODeadline? {
        let hasTaken = self.acknowledged.hasGrown(to: acknowledged)
        if bytes == 0 {
            lastTaken = nil
        } else if lastTaken == nil || hasTaken {
            lastTaken = now
        }
        return lastTaken
    }
}
