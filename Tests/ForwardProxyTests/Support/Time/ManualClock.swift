import NIOCore
import Synchronization

@testable import ForwardProxy

/// A clock that stands still until a test moves it.
///
/// What the proxy waits for over sockets is real; a limit of its own ends when ``expire(_:)`` says so, and not before,
/// however slow the machine is.
final class ManualClock: ProxyClock {
    private struct Timer: Sendable {
        var deadline: NIODeadline
        var loop: any EventLoop
        var task: NIOLoopBound<() -> Void>
        var promise: EventLoopPromise<Void>
    }

    private struct State {
        /// Apart from the machine's, so that whoever asks that is noticed.
        var now = NIODeadline.uptimeNanoseconds(State.start)
        static let start: UInt64 = 1 << 40
        var timers: [UInt64: Timer] = [:]
        var lastTimer: UInt64 = 0
        var loops: [ObjectIdentifier: any EventLoop] = [:]

        /// The timer that ends first, of several the one that was set first.
        func next(until limit: NIODeadline) -> UInt64? {
            timers.filter { $0.value.deadline <= limit }
                .min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }?.key
        }
    }

    private let state = Mutex(State())
    private let changes = Inbox()

    var now: NIODeadline { state.withLock { $0.now } }
    var coarseNow: NIODeadline { now }

    /// The machine's when the clock was made, for other programs look at certificates too; it moves with ``now``.
    var wallTime: WallTime {
        let nanoseconds = Int64(now.uptimeNanoseconds - State.start) + wallStart.nanoseconds
        return WallTime(
            seconds: wallStart.seconds + nanoseconds / 1_000_000_000,
            nanoseconds: nanoseconds % 1_000_000_000
        )
    }
    var coarseWallSeconds: Int64 { wallTime.seconds }
    private let wallStart = SystemClock.shared.wallTime

    func schedule(at deadline: NIODeadline, on loop: any EventLoop, _ task: @escaping () -> Void) -> Scheduled<Void> {
        let promise = loop.makePromise(of: Void.self)
        let timer = Timer(
            deadline: deadline,
            loop: loop,
            task: NIOLoopBound(task, eventLoop: loop),
            promise: promise
        )
        let (id, isDue) = state.withLock { state in
            state.lastTimer += 1
            state.loops[ObjectIdentifier(loop)] = loop
            state.timers[state.lastTimer] = timer
            return (state.lastTimer, deadline <= state.now)
        }
        if isDue { loop.execute { self.fire(id) } }
        changes.update { _ in }
        return Scheduled(promise: promise) { self.remove(id) }
    }

    private func remove(_ id: UInt64) {
        _ = state.withLock { $0.timers.removeValue(forKey: id) }
    }

    private func fire(_ id: UInt64) {
        guard let timer = state.withLock({ $0.timers.removeValue(forKey: id) }) else { return }
        timer.task.value()
        timer.promise.succeed()
    }

    // MARK: Moving

    /// Waits until a timer is set that ends within `amount` from now, then lets that amount of time pass.
    func expire(_ amount: TimeAmount) async throws {
        _ = try await changes.wait { _ in
            self.state.withLock { $0.next(until: $0.now + amount) }
        }
        await advance(by: amount)
    }

    /// Lets an amount of time pass, whether or not a timer ends by then.
    ///
    /// What has been handed to an event loop before is done first, and all that timers bring about on it is done when
    /// this returns.
    func advance(by amount: TimeAmount) async {
        await settle()
        let target = now + amount
        while let (id, loop) = next(until: target) {
            try? await loop.submit { self.fire(id) }.get()
            await settle()
        }
        state.withLock { $0.now = target }
    }

    private func next(until target: NIODeadline) -> (UInt64, any EventLoop)? {
        state.withLock { state in
            guard let id = state.next(until: target), let timer = state.timers[id] else { return nil }
            state.now = max(state.now, timer.deadline)
            return (id, timer.loop)
        }
    }

    /// Waits until each event loop has done what it was about.
    private func settle() async {
        for loop in state.withLock({ $0.loops.values.map { $0 } }) { try? await loop.submit {}.get() }
    }

    /// Forgets what is set: nothing of a proxy that has ended is kept by its timers.
    func end() async {
        let timers = state.withLock { state in
            defer { state.timers.removeAll() }
            return Array(state.timers.values)
        }
        for timer in timers {
            try? await timer.loop.submit {
                timer.promise.fail(EventLoopError.cancelled)
            }.get()
        }
    }
}
