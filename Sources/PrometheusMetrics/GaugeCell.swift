import CoreMetrics
import Synchronization

/// The value of one gauge with one set of labels.
final class GaugeCell: MeterHandler, RecorderHandler, Sendable {
    private let bits = Atomic<UInt64>(0)

    init() {}

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }

    private func add(_ amount: Double) {
        var before = bits.load(ordering: .relaxed)
        while true {
            let after = (Double(bitPattern: before) + amount).bitPattern
            let (isExchanged, found) = bits.compareExchange(expected: before, desired: after, ordering: .relaxed)
            if isExchanged { return }
            before = found
        }
    }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
}
