import NIOCore

/// The time that the next log-in of one address, or of one name, waits.
///
/// The first few failures cost nothing; each further one doubles the time, up to a limit. A minute without a failure
/// takes one off.
struct LoginPenalty {
    private static let shortest = TimeAmount.milliseconds(250)
    private static let forgiving = TimeAmount.minutes(1)

    /// Failures that cost nothing.
    private let free: Int
    /// Doublings until the time grows no more.
    private let doublings: Int
    private var failures = 0
    private var countedAt = NIODeadline.distantPast

    init(free: Int, doublings: Int) {
        self.free = free
        self.doublings = doublings
    }

    /// Returns the time that an attempt has to wait now.
    func delay(at now: NIODeadline) -> TimeAmount {
        let over = count(at: now) - free
        return over < 0 ? .zero : .nanoseconds(Self.shortest.nanoseconds << Int64(min(over, doublings)))
    }

    mutating func add(at now: NIODeadline) {
        // More than count would only take longer to be forgiven.
        failures = min(count(at: now) + 1, free + doublings)
        countedAt = now
    }

    mutating func remove(at now: NIODeadline) {
        failures = max(count(at: now) - 1, 0)
        countedAt = now
    }

    private func count(at now: NIODeadline) -> Int {
        guard failures > 0 else { return 0 }
        return max(0, failures - Int((now - countedAt).nanoseconds / Self.forgiving.nanoseconds))
    }
}
