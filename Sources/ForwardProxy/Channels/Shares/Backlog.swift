import NIOCore

/// The record of whether a client takes what was written for it, which is seen only when somebody looks.
struct Backlog {
    private var acknowledged = AcknowledgedBytes()
    /// The time at which it was last seen to have taken some, or when something was first seen to wait; nil: nothing
    /// does.
    private(set) var lastTaken: NIODeadline?
    /// Bytes that were written and that the client has not been seen to have.
    private var written = 0

    mutating func note(written bytes: Int) { written += bytes }

    /// Looks at what the system has taken, and the client has not: as much as fits its buffers.
    ///
    /// - Returns: ``lastTaken``; nil when the client has, or soon has, all.
    mutating func observe(_ channel: any Channel, at now: NIODeadline) -> NIODeadline? {
        let usual = type(of: channel).usuallyUnacknowledged
        // There may be thousands of clients, whose answers were small. What is small may still be large in the kernel's
        // memory, where the client has it sent in small pieces.
        guard written > usual / 8 else { return nil }
        let unacknowledged = channel.unacknowledgedBytes
        if unacknowledged <= usual {
            written = unacknowledged
            return nil
        }
        return observe(unacknowledged, acknowledged: channel.acknowledgedBytes, at: now)
    }

    /// - Parameters:
    ///   - bytes: The number of those that wait to be taken by the system. There are none as soon as it has all, though
    ///     the client has not.
    ///   - acknowledged: The number of those that the client has acknowledged in all.
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
