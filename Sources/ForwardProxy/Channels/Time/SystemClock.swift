import Glibc
package import NIOCore

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
