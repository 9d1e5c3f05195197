import NIOCore

/// Lets one event a minute pass for each key, so that a fault that every request meets fills no log.
struct RateLimiter {
    private static let interval = TimeAmount.minutes(1)
    private static let capacity = 1024

    private var last: [String: NIODeadline] = [:]

    mutating func permits(_ key: String, now: NIODeadline) -> Bool {
        if let time = last[key], now - time < Self.interval { return false }
        if last.count >= Self.capacity { last = last.filter { now - $0.value < Self.interval } }
        if last.count >= Self.capacity { last.removeAll() }
        last[key] = now
        return true
    }
}
