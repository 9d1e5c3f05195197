import NIOCore

/// The record of whether a client takes what was written for it, which is seen only when somebody looks.
struct Backlog {
    private var acknowledged = AcknowledgedBytes()
    /// The time at which it was last seen to have taken some, or when something was first seen to wait; nil: nothing
    /// does.
    private(set) var lastTaken: NIODeadline?

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
