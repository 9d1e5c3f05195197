import NIOCore
import NIOEmbedded

@testable import ForwardProxy

/// The time of an embedded event loop.
final class EmbeddedClock: ProxyClock {
    let loop = EmbeddedEventLoop()

    var now: NIODeadline { loop.now }
    var coarseNow: NIODeadline { loop.now }

    func schedule(at deadline: NIODeadline, on loop: any EventLoop, _ task: @escaping () -> Void) -> Scheduled<Void> {
        loop.assumeIsolated().scheduleTask(deadline: deadline, task)
    }
}
