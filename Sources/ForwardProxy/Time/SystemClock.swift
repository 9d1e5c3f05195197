import Glibc
package import NIOCore

/// The system's monotonic clock, with the timers of the event loops.
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

    @discardableResult
    package func schedule(
        at deadline: NIODeadline,
        on loop: any EventLoop,
        _ task: @escaping () -> Void
    ) -> Scheduled<Void> {
        loop.assumeIsolated().scheduleTask(deadline: deadline, task)
    }
}
