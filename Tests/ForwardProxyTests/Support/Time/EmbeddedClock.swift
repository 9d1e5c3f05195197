import NIOCore
import NIOEmbedded

@testable import ForwardProxy

/// The time of an embedded event loop.
final class EmbeddedClock: ProxyClock {
    let loop = EmbeddedEventLoop()

    var now: NIODeadline { loop.now }
    var coarseNow: NIODeadline { loop.now }

    /// The loop's time, as if the loop had begun in 1970.
    var wallTime: WallTime {
        let nanoseconds = Int64(loop.now.uptimeNanoseconds)
        return WallTime(seconds: nanoseconds / 1_000_000_000, nanoseconds: nanoseconds % 1_000_000_000)
    }
    var coarseWallSeconds: Int64 { wallTime.seconds }

    func schedule(at deadline: NIODeadline, on loop: any EventLoop, _ task: @escaping () -> Void) -> Scheduled<Void> {
        loop.assumeIsolated().scheduleTask(deadline: deadline, task)
    }
}
