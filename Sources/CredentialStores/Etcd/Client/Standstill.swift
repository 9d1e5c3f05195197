/// Tells time that went by while this process was stopped, or the machine asleep, from time that somebody has let go
/// by.
enum Standstill {
    /// The lateness of a timer from which on it is no load that explains it.
    private static let tolerance = Duration.seconds(1)

    /// Indicates whether what was to end by a time ends so much later that this process did not run meanwhile.
    static func hasDelayed(_ end: ContinuousClock.Instant, now: ContinuousClock.Instant = .now) -> Bool {
        now - end > tolerance
    }

    /// Sleeps for a time in which this process runs all along: of one that it was stopped in, the whole time anew.
    static func sleep(for time: Duration) async throws {
        var end: ContinuousClock.Instant
        repeat {
            end = .now + time
            try await Task.sleep(until: end, clock: .continuous)
        } while hasDelayed(end)
    }
}
