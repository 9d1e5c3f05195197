import CoreMetrics
import Synchronization

/// The value of one gauge with one set of labels.
final class GaugeCell: RecorderHandler, Sendable {
    private let bits = Atomic<UInt64>(0)

    init() {}

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }
}
