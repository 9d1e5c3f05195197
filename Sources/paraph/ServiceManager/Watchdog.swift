import NIOCore

/// Tells again and again that all event loops are alive: each has run a task since the last time. A loop that is stuck
/// makes it stop.
struct Watchdog {
    /// The time within which it must be told.
    let interval: Duration
    let group: any EventLoopGroup
    let tell: @Sendable () -> Void

    /// Runs until the task is cancelled.
    func run() async throws {
        while true {
            try await beat()
            // The manager's time stands still, too, while the machine is suspended.
            try await Task.sleep(for: interval / 2, clock: .suspending)
        }
    }

    /// Returns once every event loop has run a task, and that was told.
    func beat() async throws {
        let answers = group.makeIterator().map { loop in loop.submit {} }
        for answer in answers { try await answer.get() }
        tell()
    }
}
