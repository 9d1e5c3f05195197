import AdminServer
import ForwardProxy
import PrometheusMetrics
import Synchronization

/// The metrics of a running proxy that `GET /metrics` shows.
final class RunMetrics: Sendable {
    private let proxy: ProxyServer
    private let reloads = Mutex((applied: 0, refused: 0))

    init(proxy: ProxyServer) {
        self.proxy = proxy
    }

    func noteReload(applied: Bool) {
        reloads.withLock { reloads in
            if applied { reloads.applied += 1 } else { reloads.refused += 1 }
        }
    }

    var families: [MetricFamily] {
        let reloads = reloads.withLock { $0 }
        let logins = proxy.failedLogins
        return proxy.metricFamilies + [
            MetricFamily(
                "paraph_upstream_trust_failures_total",
                .counter,
                "Upstream connections that failed the TLS policy; those of action report were used all the same.",
                samples: proxy.trustFailures.map { failure in
                    MetricFamily.Sample(
                        labels: [
                            ("api", failure.api), ("reason", failure.reason),
                            ("action", failure.isReported ? "report" : "refuse"),
                        ],
                        value: failure.count
                    )
                }
            ),
            MetricFamily(
                "paraph_failed_logins_total",
                .counter,
                "Log-ins of clients, and tokens of the admin listener, that were wrong or were refused unchecked.",
                samples: [
                    MetricFamily.Sample(labels: [("outcome", "wrong")], value: logins.failed),
                    MetricFamily.Sample(labels: [("outcome", "unchecked")], value: logins.unchecked),
                ]
            ),
            MetricFamily(
                "paraph_log_dropped_total",
                .counter,
                "Log lines that were dropped: standard error was not read in time, or they could not be written.",
                samples: [MetricFamily.Sample(labels: [], value: LogSink.standardError.droppedLines)]
            ),
            MetricFamily(
                "paraph_configuration_reloads_total",
                .counter,
                "Reloads of the configuration, by what became of them.",
                samples: [
                    MetricFamily.Sample(labels: [("outcome", "applied")], value: reloads.applied),
                    MetricFamily.Sample(labels: [("outcome", "refused")], value: reloads.refused),
                ]
            ),
        ]
    }
}
