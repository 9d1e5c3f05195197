/// The exchanges in flight of one worker, and what is to happen when it is retired and none is left.
struct ExchangesInFlight {
    private var count = 0
    private var onUnused: (() -> Void)?

    mutating func began() {
        count += 1
    }

    /// - Returns: What is to be called now; nil: nothing.
    mutating func ended() -> (() -> Void)? {
        count -= 1
        return takeIfUnused()
    }

    /// No exchange begins any more.
    ///
    /// - Parameter onUnused: What is to happen once, when no exchange is left.
    /// - Returns: What is to be called now; nil: nothing.
    mutating func retire(onUnused: @escaping () -> Void) -> (() -> Void)? {
        self.onUnused = onUnused
        return takeIfUnused()
    }

    private mutating func takeIfUnused() -> (() -> Void)? {
        guard count == 0 else { return nil }
        defer { onUnused = nil }
        return onUnused
    }
}
