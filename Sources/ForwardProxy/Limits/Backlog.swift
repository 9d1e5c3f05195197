import NIOCore

/// What was written for a client and waits for it: that it waits is seen only when somebody looks.
struct Backlog {
    private var octets: Int32 = 0
    /// When some of it was last seen to have been taken, or when it was first seen; nil: nothing waits.
    private(set) var lastTaken: NIODeadline?

    /// - Parameter octets: how many wait now. That there are more is the writer's doing, and no progress.
    /// - Returns: ``lastTaken``.
    mutating func observe(_ octets: Int, at now: NIODeadline) -> NIODeadline? {
        let octets = Int32(clamping: octets)
        if octets == 0 {
            lastTaken = nil
        } else if lastTaken == nil || self.octets - octets >= Progress.least {
            lastTaken = now
        } else {
            self.octets = max(self.octets, octets)
            return lastTaken
        }
        self.octets = octets
        return lastTaken
    }
}
