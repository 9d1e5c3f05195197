import Glibc
import NIOCore

/// The monotonic clock as of the kernel's last tick: some milliseconds late at most, and a fraction of the cost.
enum CoarseClock {
    static func now() -> NIODeadline {
        var time = timespec()
        guard clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return .now() }
        return .uptimeNanoseconds(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }
}
