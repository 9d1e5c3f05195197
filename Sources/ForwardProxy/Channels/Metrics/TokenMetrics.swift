import CoreMetrics
import NIOCore
import PrometheusMetrics

/// The metrics of token exchanges and of the vault.
struct TokenMetrics: Sendable {
    /// An operation on the vault.
    enum VaultOperation: String {
        case list
        case load
        case store
        case remove
    }

    private let registry: MetricsRegistry

    init(registry: MetricsRegistry) {
        self.registry = registry
    }

    /// - Parameters:
    ///   - kind: The exchange's name, one of a bounded set.
    ///   - result: `ok`, or the label of a failure.
    func exchanged(api: String, kind: String, result: String, in time: TimeAmount) {
        let labels = [("api", api), ("kind", kind)]
        Counter(label: ProxyMetrics.exchanges.name, dimensions: labels + [("result", result)], factory: registry)
            .increment()
        Timer(label: ProxyMetrics.exchangeTime.name, dimensions: labels, factory: registry)
            .recordNanoseconds(time.nanoseconds)
    }

    func vault(_ operation: VaultOperation, failed: Bool) {
        let labels = [("operation", operation.rawValue), ("result", failed ? "failed" : "ok")]
        Counter(label: ProxyMetrics.vaultOperations.name, dimensions: labels, factory: registry).increment()
    }
}
