import Bytes
import CoreMetrics
import FoundationEssentials
import Logging
import PrometheusMetrics
import Routing
import Settings
import Synchronization
import UpstreamTrust

/// Counts upstream certificates that were not accepted, for all event loops, and tells of them in the log: once a
/// minute for each host, however many connections fail.
final class TrustMonitor: Sendable {
    private struct Key: Hashable {
        let api: String
        let reason: String
        let isReported: Bool
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var reports = RateLimiter()
        /// The hosts whose pins leave no backup, which was told.
        var warned = BoundedCache<String, Void, Never>(limit: 4096)
        /// The same by API, as many as are told of one.
        var withoutBackup: [String: [String]] = [:]
    }

    /// The number of hosts of one API that are told.
    private static let toldHosts = 8

    private let clock: any ProxyClock
    private let registry: MetricsRegistry
    private let logger: Logger
    private let state = Mutex(State())

    init(clock: any ProxyClock, registry: MetricsRegistry, logger: Logger) {
        self.clock = clock
        self.registry = registry
        self.logger = logger
    }

    /// The counts in a stable order.
    var counts: [TrustFailureCount] {
        state.withLock { $0.counts }
            .map { TrustFailureCount(api: $0.api, reason: $0.reason, isReported: $0.isReported, count: $1) }
            .sorted { ($0.api, $0.reason, $0.isReported ? 1 : 0) < ($1.api, $1.reason, $1.isReported ? 1 : 0) }
    }

    /// Starts the counters that alerts watch at 0, so that the first event is an increase: a counter that comes up with 1
    /// is none to Prometheus.
    func begin(_ apis: [APISettings]) {
        for api in apis where api.upstreamScheme == .https {
            for reason in TrustFailureReason.Kind.allCases { _ = counter(api.name, "refuse", reason.rawValue) }
            let pinnings = api.tls.pinning.compactMap(\.policy)
            if pinnings.contains(where: { $0.onFailure == .report || $0.onExpiry == .report }) {
                _ = counter(api.name, "report", TrustFailureReason.Kind.noPinMatched.rawValue)
            }
        }
    }

    /// Notes the decision on each new connection.
    func note(_ decision: TrustDecision, api: String, authority: Authority) {
        switch decision {
        case .refused(let failure):
            count(api: api, action: "refuse", reason: failure.label)
            note(failure, api: api, authority: authority, isReported: false)
        case .accepted(let path):
            count(api: api, action: path.reported == nil ? "accept" : "report", reason: path.reported?.label ?? "none")
            if let failure = path.reported { note(failure, api: api, authority: authority, isReported: true) }
            if path.lacksBackupPin { warnOfBackup(api: api, authority: authority) }
        }
    }

    private func count(api: String, action: String, reason: String) {
        counter(api, action, reason).increment()
    }

    private func counter(_ api: String, _ action: String, _ reason: String) -> Counter {
        let labels = [("api", api), ("action", action), ("reason", reason)]
        return Counter(label: ProxyMetrics.trustDecisions.name, dimensions: labels, factory: registry)
    }

    /// Policies have changed: what was warned of once may be another thing now.
    func policiesChanged() {
        state.withLock { state in
            state.warned.removeAll()
            state.withoutBackup.removeAll()
        }
    }

    /// Some of the hosts of each API whose pins leave no backup, as far as connections have told.
    var hostsWithoutBackupPin: [String: [String]] { state.withLock { $0.withoutBackup } }

    private func note(_ failure: TrustFailure, api: String, authority: Authority, isReported: Bool) {
        let isToBeTold = state.withLock { state in
            state.counts[Key(api: api, reason: failure.label, isReported: isReported), default: 0] += 1
            return state.reports.permits("\(authority) \(isReported)", now: clock.now)
        }
        guard isToBeTold else { return }
        let metadata: Logger.Metadata = [
            "api": "\(api)", "host": "\(authority)", "reason": "\(failure.label)", "detail": "\(failure.detail)",
        ]
        if isReported {
            logger.warning("an upstream certificate fails the pins, and is used all the same", metadata: metadata)
        } else {
            logger.error("an upstream certificate was not accepted", metadata: metadata)
        }
    }

    /// Warns once for each host: the chain hardly changes.
    private func warnOfBackup(api: String, authority: Authority) {
        let isNew = state.withLock { state in
            let host = "\(api) \(authority)"
            guard state.warned.value(for: host) == nil else { return false }
            state.warned.insert((), for: host)
            if state.withoutBackup[api, default: []].count < Self.toldHosts {
                state.withoutBackup[api, default: []].append("\(authority)")
            }
            return true
        }
        guard isNew else { return }
        logger.warning(
            "every pin is of the chain that the server has now: when its key changes, the API is cut off",
            metadata: [
                "api": "\(api)", "host": "\(authority)",
                "advice": "pin a key that is kept in reserve; paraph pins \(authority) proposes one",
            ]
        )
    }
}

/// The number of times that the upstreams of an API failed their TLS policy for one reason.
package struct TrustFailureCount: Sendable, Equatable {
    package var api: String
    /// One of a bounded set: the label of a `TrustFailure`.
    package var reason: String
    /// Indicates whether the connection was used all the same (`on_failure: report`).
    package var isReported: Bool
    package var count: Int
}
