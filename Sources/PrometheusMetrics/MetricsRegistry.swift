package import CoreMetrics
import Synchronization

/// A factory of swift-metrics whose metrics are read for Prometheus.
///
/// Each event loop has one of its own, so that loops do not write to the same counts: ``families(of:_:)`` adds up what
/// they hold. Two metrics of one name and the same labels in one registry are one.
package final class MetricsRegistry: MetricsFactory, Sendable {
    private struct Key: Hashable {
        var name: String
        var labels: [String]
    }

    private struct Entry: Sendable {
        var labels: [(name: String, value: String)]
        var cell: any Sendable
    }

    private let entries = Mutex<[Key: Entry]>([:])

    package init() {}

    private func cell<Cell: Sendable>(
        _ name: String,
        _ labels: [(String, String)],
        _ make: () -> Cell
    ) -> Cell {
        entries.withLock { entries in
            let key = Key(name: name, labels: labels.flatMap { [$0.0, $0.1] })
            if let cell = entries[key]?.cell as? Cell { return cell }
            let cell = make()
            entries[key] = Entry(labels: labels.map { (name: $0.0, value: $0.1) }, cell: cell)
            return cell
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions) { CounterCell() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(label, dimensions) { HistogramCell() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        cell(label, dimensions) { GaugeCell() }
    }

    // What was counted stays counted: a count that goes back is a restart to Prometheus.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Returns the metrics that registries hold, the same ones added up, in the order of their descriptions.
    ///
    /// - Parameter descriptions: Metrics that it does not describe are left out. Those that nothing was counted of yet
    ///   have no samples.
    package static func families(of registries: [MetricsRegistry], _ descriptions: [MetricDescription])
        -> [MetricFamily]
    {
        var samples: [String: [[String]: MetricFamily.Sample]] = [:]
        for registry in registries {
            for (key, entry) in registry.entries.withLock({ $0 }) {
                guard let value = value(of: entry.cell) else { continue }
                if let known = samples[key.name]?[key.labels] {
                    samples[key.name]?[key.labels]?.value = known.value + value
                } else {
                    samples[key.name, default: [:]][key.labels] = MetricFamily.Sample(
                        labels: entry.labels,
                        value: value
                    )
                }
            }
        }
        return descriptions.map { description in
            let sorted = (samples[description.name] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return MetricFamily(description, samples: sorted.map(\.value))
        }
    }

    private static func value(of cell: any Sendable) -> MetricValue? {
        switch cell {
        case let counter as CounterCell: .integer(counter.value)
        case let histogram as HistogramCell: .histogram(histogram.value)
        case let gauge as GaugeCell: .number(gauge.value)
        default: nil
        }
    }
}
