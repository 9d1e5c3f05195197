import CoreMetrics
import Credentials
import NIOCore
import PrometheusMetrics
import Settings

/// The metrics of token exchanges and of the vault.
struct TokenMetrics: Sendable {
    /// An operation on the vault.
    enum VaultOperation: String, CaseIterable {
        case list
        case load
        case store
        case remove
    }

    /// The result of an exchange that brought a token.
    static let success = "ok"
    /// The number of APIs, or of accounts where these are named, whose exchanges have counters before there was one.
    private static let mostBegun = 100
    /// The results that an exchange can have.
    private static let results = [success] + ExchangeFailure.Cause.ofExchanges.map(\.rawValue)

    private let registry: MetricsRegistry
    /// The names of accounts as labels; nil when accounts are not named.
    private let accounts: AccountLabels?

    init(registry: MetricsRegistry, accounts: AccountLabels?) {
        self.registry = registry
        self.accounts = accounts
    }

    /// - Parameter result: ``success``, or the label of a failure.
    func exchanged(_ name: CredentialName, _ kind: ExchangeKind, result: String, in time: TimeAmount) {
        let labels = labels(of: name, kind)
        counter(of: labels, result).increment()
        Timer(label: ProxyMetrics.exchangeTime.name, dimensions: labels, factory: registry)
            .recordNanoseconds(time.nanoseconds)
    }

    func vault(_ operation: VaultOperation, failed: Bool) {
        counter(of: operation, failed: failed).increment()
    }

    private func labels(of name: CredentialName, _ kind: ExchangeKind) -> [(String, String)] {
        var labels = [("api", name.api), ("kind", kind.rawValue)]
        if let accounts { labels.append(("account", accounts.label(of: name.account, at: name.api))) }
        return labels
    }

    private func counter(of labels: [(String, String)], _ result: String) -> Counter {
        Counter(label: ProxyMetrics.exchanges.name, dimensions: labels + [("result", result)], factory: registry)
    }

    private func counter(of operation: VaultOperation, failed: Bool) -> Counter {
        let labels = [("operation", operation.rawValue), ("result", failed ? "failed" : "ok")]
        return Counter(label: ProxyMetrics.vaultOperations.name, dimensions: labels, factory: registry)
    }

    // MARK: From the start

    /// Starts the counters that alerts watch at 0, so that the first event is an increase: a counter that comes up with 1
    /// is none to Prometheus.
    ///
    /// - Parameter apis: Those that may have exchanges. Where accounts are named, the first ones of the configuration
    ///   have counters.
    func begin(_ apis: [APISettings]) {
        for operation in VaultOperation.allCases {
            for failed in [false, true] { _ = counter(of: operation, failed: failed) }
        }
        for (name, kinds) in exchanges(of: apis).prefix(Self.mostBegun) {
            for kind in kinds {
                let labels = labels(of: name, kind)
                for result in Self.results { _ = counter(of: labels, result) }
            }
        }
    }

    private func exchanges(of apis: [APISettings]) -> [(CredentialName, Set<ExchangeKind>)] {
        apis.flatMap { api -> [(CredentialName, Set<ExchangeKind>)] in
            let exchanges = api.accounts.map { account in
                (
                    CredentialName(api: api.name, account: account.name),
                    Set(TokenExchange.kinds(of: account.source, scheme: api.scheme))
                )
            }
            guard accounts == nil else { return exchanges }
            // Accounts that are enrolled have those of their API.
            var kinds = exchanges.reduce(into: Set<ExchangeKind>()) { $0.formUnion($1.1) }
            if case .oauth2 = api.scheme { kinds.formUnion([.password, .refresh]) }
            return [(CredentialName(api: api.name, account: ""), kinds)]
        }
    }
}
