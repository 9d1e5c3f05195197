import NIOCore

/// One deadline of one connection, cheap to move.
///
/// Moving the deadline later, as each request does, costs a store: the timer that is set fires early, sees that the
/// deadline has moved, and sets itself again.
struct ConnectionTimer {
    private(set) var deadline: NIODeadline = .distantFuture
    private var scheduled: Scheduled<Void>?
    private var scheduledFor: NIODeadline = .distantFuture

    /// Sets the deadline to `amount` from now.
    ///
    /// - Parameter fire: called on the loop when the timer that is set fires; it must then ask ``isDue(_:)``.
    mutating func set(_ amount: TimeAmount, on loop: any EventLoop, fire: @escaping () -> Void) {
        deadline = CoarseClock.now() + amount
        guard deadline < scheduledFor else { return }
        schedule(on: loop, fire: fire)
    }

    /// Whether a deadline is set that has not passed.
    var isArmed: Bool { deadline != .distantFuture }

    mutating func clear() {
        deadline = .distantFuture
    }

    mutating func cancel() {
        clear()
        scheduled?.cancel()
        scheduled = nil
        scheduledFor = .distantFuture
    }

    /// To be called when the timer fired: true when the deadline has passed; otherwise the timer is set again.
    mutating func isDue(on loop: any EventLoop, fire: @escaping () -> Void) -> Bool {
        scheduled = nil
        scheduledFor = .distantFuture
        guard deadline != .distantFuture else { return false }
        if deadline <= .now() {
            deadline = .distantFuture
            return true
        }
        schedule(on: loop, fire: fire)
        return false
    }

    private mutating func schedule(on loop: any EventLoop, fire: @escaping () -> Void) {
        scheduled?.cancel()
        scheduledFor = deadline
        scheduled = loop.assumeIsolated().scheduleTask(deadline: deadline, fire)
    }
}
