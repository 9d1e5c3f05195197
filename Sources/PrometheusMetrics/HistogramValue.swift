/// The counts of a histogram at one moment.
package struct HistogramValue: Sendable, Equatable {
    /// The number of observations in each bucket, by itself; the last one is for those above every bound.
    package var counts: [Int]
    /// The sum of all observations, in seconds.
    package var sum: Double

    package init(counts: [Int], sum: Double) {
        self.counts = counts
        self.sum = sum
    }

    static func + (left: HistogramValue, right: HistogramValue) -> HistogramValue {
        HistogramValue(counts: zip(left.counts, right.counts).map { $0 &+ $1 }, sum: left.sum + right.sum)
    }
}
