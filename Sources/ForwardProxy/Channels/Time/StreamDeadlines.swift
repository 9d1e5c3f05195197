import NIOCore

/// One timer for all the deadlines of one connection, which mostly are moved later before they come.
struct StreamDeadlines {
    private let clock: any ProxyClock
    private var scheduled: Scheduled<Void>?
    private var scheduledFor: NIODeadline = .distantFuture

    init(clock: any ProxyClock) {
        self.clock = clock
    }

    /// Makes sure that `fire` is called at this time or earlier.
    mutating func note(_ deadline: NIODeadline, on loop: any EventLoop, fire: @escaping () -> Void) {
        guard deadline < scheduledFor else { return }
        scheduled?.cancel()
        scheduledFor = deadline
        scheduled = clock.schedule(at: deadline, on: loop, fire)
    }

    /// Notes that the timer fired, before anything else.
    mutating func fired() {
        scheduled = nil
        scheduledFor = .distantFuture
    }

    mutating func cancel() {
        scheduled?.cancel()
        fired()
    }
}
