import CoreMetrics
import Synchronization

/// The counts of one histogram of durations with one set of labels.
final class HistogramCell: TimerHandler, Sendable {
    private let counts: [Count]
    private let nanoseconds = Atomic<Int>(0)

    /// One count, in an object of its own, since an atomic cannot be an element of an array.
    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    init() {
        counts = (0..<HistogramBuckets.count).map { _ in Count() }
    }

    func recordNanoseconds(_ duration: Int64) {
        counts[HistogramBuckets.index(of: duration)].value.wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(Int(duration), ordering: .relaxed)
    }

    var value: HistogramValue {
        HistogramValue(
            counts: counts.map { $0.value.load(ordering: .relaxed) },
            sum: Double(nanoseconds.load(ordering: .relaxed)) / 1e9
        )
    }
}
