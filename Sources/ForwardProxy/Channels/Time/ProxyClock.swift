package import NIOCore

/// The time of a proxy, monotonic and of the wall clock, and its timers.
///
/// Everything that waits asks the clock that the proxy was made with, and no event loop: where time is moved by hand,
/// all of the proxy's limits move with it, though its connections are real.
package protocol ProxyClock: AnyObject, Sendable {
    /// The present time.
    var now: NIODeadline { get }

    /// The present time, some milliseconds late at most, at a fraction of the cost of ``now``.
    var coarseNow: NIODeadline { get }

    /// The time by this machine's wall clock, which may be set back.
    var wallTime: WallTime { get }

    /// The seconds of ``wallTime``, some milliseconds late at most, at a fraction of its cost.
    var coarseWallSeconds: Int64 { get }

    /// Calls a task once, on an event loop that the caller is on, when a time has come.
    ///
    /// - Parameter task: Not called any more once the returned value was cancelled.
    @discardableResult
    func schedule(at deadline: NIODeadline, on loop: any EventLoop, _ task: @escaping () -> Void) -> Scheduled<Void>
}

extension ProxyClock {
    /// Calls a task once, on an event loop that the caller is on, after an amount of time.
    @discardableResult
    func schedule(
        in amount: TimeAmount,
        on loop: any EventLoop,
        _ task: @escaping () -> Void
    ) -> Scheduled<Void> {
        schedule(at: now + amount, on: loop, task)
    }
}
