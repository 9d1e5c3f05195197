package import Credentials

/// The offset of a provider's clock from this machine's, as its answer tells. `now` is this machine's time, in seconds
/// since 1970-01-01T00:00:00Z.
package enum ClockOffset {
    /// The provider's time minus this machine's, in seconds, from the `Date` field (RFC 9110, section 6.6.1).
    static func read(date: String, now: Int64) -> Int64? {
        HTTPDate.seconds(date).map { $0 - now }
    }

    /// Likewise, of an exchange's answer.
    package static func read(_ response: ExchangeResponse, now: Int64) -> Int64? {
        response.fields.first { $0.0.lowercased() == "date" }.flatMap { read(date: $0.1, now: now) }
    }

    /// Returns the offset that brings this machine's time into the range that the provider says it accepts.
    static func read(acceptable: ClosedRange<UInt64>, now: Int64) -> Int64 {
        let middle = acceptable.lowerBound + (acceptable.upperBound - acceptable.lowerBound) / 2
        // A time that no clock has must not make later sums overflow.
        return Int64(min(middle, latestTime)) - now
    }

    /// Far beyond the year 9999, where dates end.
    private static let latestTime: UInt64 = 1 << 40
}
