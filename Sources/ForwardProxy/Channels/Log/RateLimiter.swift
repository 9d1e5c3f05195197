import Bytes
import NIOCore

/// Lets one event a minute pass for each key, so that a fault that every request meets fills no log.
struct RateLimiter {
    private static let interval = TimeAmount.minutes(1)
    /// Keys that are remembered; the one whose event passed first makes room for another.
    static let capacity = 1024

    private var passed = BoundedCache<String, Void, NIODeadline>(limit: capacity)

    var keyCount: Int { passed.count }

    mutating func permits(_ key: String, now: NIODeadline) -> Bool {
        guard passed.peek(key, at: now) == nil else { return false }
        passed.insert((), for: key, until: now + Self.interval, at: now)
        return true
    }
}
