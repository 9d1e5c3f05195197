/// The time for which the provider is left alone: 1 s after the first failure, twice as long after each further one, at
/// most 60 s.
enum Backoff {
    /// In nanoseconds, as all times of ``TokenLifecycle``.
    static let second: UInt64 = 1_000_000_000
    static let longest = 60 * second

    static func delay(afterFailures failures: Int) -> UInt64 {
        failures > 6 ? longest : min(longest, second << UInt64(max(failures, 1) - 1))
    }
}
