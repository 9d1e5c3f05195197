import CoreMetrics
import Credentials
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
    /// Nil: accounts are not named.
    private let accounts: AccountLabels?

    init(registry: MetricsRegistry, accounts: AccountLabels?) {
        self.registry = registry
        self.accounts = accounts
    }

    /// - Parameters:
    ///   - kind: The exchange's name, one of a bounded set.
    ///   - result: `ok`, or the label of a failure.
    func exchanged(_ name: CredentialName, kind: String, result: String, in time: TimeAmount) {
        var labels = [("api", name.api), ("kind", kind)]
        if let accounts { labels.append(("account", accounts.label(of: name.account, at: name.api))) }
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
