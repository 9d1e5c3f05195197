/// The times at which access tokens are refreshed: while they still work, and not all tokens of one moment at one
/// moment.
package enum RefreshSchedule {
    /// A token that lives longer than twice this is refreshed at least so long before its end, in seconds.
    private static let margin = 30.0
    /// The longest that is reckoned with, in seconds: what is beyond is as good as never.
    private static let longest: UInt64 = 100 * 365 * 86_400

    /// - Parameters:
    ///   - now: The whole seconds since 1970-01-01T00:00:00Z, as `expiresAt`.
    ///   - jitter: A random number, from 0 up to but not including 1.
    /// - Returns: The seconds from now until a new token is to be asked for, at 80 to 90 % of what is left to this one,
    ///   and until this one is over. Both are zero when it is already.
    package static func times(
        now: UInt64,
        expiresAt: UInt64,
        jitter: Double
    ) -> (refreshAfter: UInt64, expireAfter: UInt64) {
        let left = expiresAt > now ? min(expiresAt - now, longest) : 0
        let life = Double(left)
        let latest = life > 2 * margin ? min(life * 0.9, life - margin) : life * 0.9
        let earliest = latest * 8 / 9
        return (UInt64(earliest + (latest - earliest) * min(max(jitter, 0), 1)), left)
    }
}

/// The time for which the provider is left alone: 1 s after the first failure, twice as long after each further one, at
/// most 60 s.
enum Backoff {
    /// One second in nanoseconds, the unit of all times of ``TokenLifecycle``.
    static let second: UInt64 = 1_000_000_000
    static let longest = 60 * second

    static func delay(afterFailures failures: Int) -> UInt64 {
        failures > 6 ? longest : min(longest, second << UInt64(max(failures, 1) - 1))
    }
}
