import NIOCore

/// One deadline of one connection, cheap to move.
///
/// Moving the deadline later, as each request does, costs a store: the timer that is set fires early, sees that the
/// deadline has moved, and sets itself again.
struct ConnectionTimer {
    /// The time at which the deadline was last set.
    private(set) var begun: NIODeadline = .distantPast
    private(set) var deadline: NIODeadline = .distantFuture
    private let clock: any ProxyClock
    private var scheduled: Scheduled<Void>?
    private var scheduledFor: NIODeadline = .distantFuture

    init(clock: any ProxyClock) {
        self.clock = clock
    }

    /// Sets the deadline to `amount` from now.
    ///
    /// - Parameter fire: Called on the loop when the timer that is set fires; it must then ask ``isDue(on:fire:)``.
    mutating func set(_ amount: TimeAmount, on loop: any EventLoop, fire: @escaping () -> Void) {
        guard !move(amount) else { return }
        schedule(on: loop, fire: fire)
    }

    /// Sets the deadline to `amount` from now, without the event loop, which a channel takes long to name.
    ///
    /// - Returns: Whether the timer that is set will do; otherwise ``schedule(on:fire:)`` is to be called.
    mutating func move(_ amount: TimeAmount) -> Bool {
        begun = clock.coarseNow
        deadline = begun + amount
        return deadline >= scheduledFor
    }

    /// Indicates whether a deadline is set that has not passed.
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

    /// Returns whether the deadline has passed, when the timer fired; otherwise sets the timer again.
    mutating func isDue(on loop: any EventLoop, fire: @escaping () -> Void) -> Bool {
        scheduled = nil
        scheduledFor = .distantFuture
        guard deadline != .distantFuture else { return false }
        if deadline <= clock.now {
            deadline = .distantFuture
            return true
        }
        schedule(on: loop, fire: fire)
        return false
    }

    /// Sets a timer for the deadline.
    ///
    /// - Parameter fire: As for ``set(_:on:fire:)``.
    mutating func schedule(on loop: any EventLoop, fire: @escaping () -> Void) {
        scheduled?.cancel()
        scheduledFor = deadline
        scheduled = clock.schedule(at: deadline, on: loop, fire)
    }
}
