/// When a token that expires is refreshed.
package enum RefreshSchedule {
    /// No refresh is left for later than this many seconds before the end, when the token lives long enough.
    private static let margin: UInt64 = 30

    /// From now, in whole seconds: when to refresh, at 80 to 90 % of what is left of the token's life, so that the tokens
    /// of many accounts and of several proxies are not all refreshed at once; and when the token is over.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970-01-01T00:00:00Z, as `expiresAt`.
    ///   - jitter: from 0 up to, not including, 1; drawn at random for each token.
    package static func times(
        now: UInt64,
        expiresAt: UInt64,
        jitter: Double
    ) -> (refreshAfter: UInt64, expireAfter: UInt64) {
        guard expiresAt > now else { return (0, 0) }
        let left = expiresAt - now
        let early = UInt64(Double(left) * (0.8 + 0.1 * min(max(jitter, 0), 1)))
        let latest = left > 2 * margin ? left - margin : early
        return (min(early, latest), left)
    }
}
