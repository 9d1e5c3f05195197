package import FoundationEssentials
import Glibc
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

/// The system's clocks, with the timers of the event loops.
package final class SystemClock: ProxyClock {
    package static let shared = SystemClock()

    private init() {}

    package var now: NIODeadline { .now() }

    /// The time of the kernel's last tick.
    package var coarseNow: NIODeadline {
        var time = timespec()
        guard clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return .now() }
        return .uptimeNanoseconds(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package var wallTime: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    package var coarseWallSeconds: Int64 { Int64(time(nil)) }

    @discardableResult
    package func schedule(
        at deadline: NIODeadline,
        on loop: any EventLoop,
        _ task: @escaping () -> Void
    ) -> Scheduled<Void> {
        loop.assumeIsolated().scheduleTask(deadline: deadline, task)
    }
}

/// The time since 1970-01-01T00:00:00Z, without leap seconds.
package struct WallTime: Hashable, Comparable, Sendable {
    package var seconds: Int64
    /// The nanoseconds of the second that has begun: less than 1,000,000,000.
    package var nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (one: WallTime, other: WallTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// Returns the time that is an amount later.
    func advanced(by amount: TimeAmount) -> WallTime {
        let total = nanoseconds + amount.nanoseconds
        let (quotient, rest) = total.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0
            ? WallTime(seconds: seconds + quotient - 1, nanoseconds: rest + 1_000_000_000)
            : WallTime(seconds: seconds + quotient, nanoseconds: rest)
    }

    /// The date by which certificates are judged.
    package var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }
}
