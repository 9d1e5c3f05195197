import NIOCore

/// Puts off what is to be done after all that one turn of the event loop brings, so that many streams share one write.
struct LazyFlush {
    private var isScheduled = false

    /// - Parameter flush: called once at the end of the turn; must call ``done()``.
    mutating func schedule(on loop: any EventLoop, _ flush: @escaping () -> Void) {
        guard !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().execute(flush)
    }

    mutating func done() {
        isScheduled = false
    }
}
