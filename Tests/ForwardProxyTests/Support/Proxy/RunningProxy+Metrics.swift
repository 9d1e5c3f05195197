import PrometheusMetrics

@testable import ForwardProxy

extension RunningProxy {
    /// Returns the samples of a metric by their labels; of a histogram the number of observations.
    func samples(_ name: String, _ labels: [String] = ["api"]) async -> [String: Double] {
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
        return Dictionary(found, uniquingKeysWith: +)
    }
}
