import CoreMetrics
import Synchronization

/// The count of one counter with one set of labels.
final class CounterCell: CounterHandler, Sendable {
    private let count = Atomic<Int>(0)

    init() {}

    func increment(by amount: Int64) {
        count.wrappingAdd(Int(amount), ordering: .relaxed)
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }

    var value: Int { count.load(ordering: .relaxed) }
}
