/// The buckets that all histograms of durations have: those that OpenTelemetry's conventions give for HTTP
/// (`http.server.request.duration`).
package enum HistogramBuckets {
    /// The upper bounds in seconds, as they are written.
    static let texts = [
        "0.005", "0.01", "0.025", "0.05", "0.075", "0.1", "0.25", "0.5", "0.75", "1", "2.5", "5", "7.5", "10",
    ]

    /// The number of counts that a histogram has: one for each bound, and one for what is above.
    static let count = 15

    /// The upper bounds in nanoseconds.
    private static let bounds: InlineArray<14, Int64> = [
        5_000_000, 10_000_000, 25_000_000, 50_000_000, 75_000_000, 100_000_000, 250_000_000, 500_000_000, 750_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000, 7_500_000_000, 10_000_000_000,
    ]

    /// Returns the index of the count that a duration, in nanoseconds, belongs to.
    @inline(__always)
    static func index(of nanoseconds: Int64) -> Int {
        // Most of them are short.
        var index = 0
        while index < bounds.count, nanoseconds > bounds[index] { index += 1 }
        return index
    }
}
