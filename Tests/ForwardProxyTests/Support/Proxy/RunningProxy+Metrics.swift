import PrometheusMetrics

@testable import ForwardProxy

extension RunningProxy {
    /// Returns the samples of a metric by their labels; of a histogram the number of observations.
    ///
    /// - Parameter zeros: Whether counters that have counted nothing are among them.
    func samples(_ name: String, _ labels: [String] = ["api"], zeros: Bool = false) async -> [String: Double] {
        let family = await server.metricFamilies().first { $0.description.name == name }
        let found = (family?.samples ?? []).map { sample in
            let values = labels.map { label in sample.labels.first { $0.name == label }?.value ?? "-" }
            let value: Double =
                switch sample.value {
                case .integer(let value): Double(value)
                case .number(let value): value
                case .histogram(let value): Double(value.counts.reduce(0, +))
                }
            return (sample.labels.isEmpty ? "" : values.joined(separator: " "), value)
        }
        let samples = Dictionary(found, uniquingKeysWith: +)
        guard !zeros, family?.description.kind == .counter else { return samples }
        return samples.filter { $0.value > 0 }
    }
}
