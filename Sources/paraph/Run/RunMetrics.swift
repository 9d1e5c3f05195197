import AdminServer
import ForwardProxy
import NIOPosix
import PrometheusMetrics
import Synchronization

/// The metrics of a running proxy that `GET /metrics` shows.
final class RunMetrics: Sendable {
    private static let timeForFiles = Duration.seconds(2)

    private let proxy: ProxyServer
    private let readiness: Readiness
    private let reloads = Mutex((applied: 0, refused: 0))

    init(proxy: ProxyServer, readiness: Readiness) {
        self.proxy = proxy
        self.readiness = readiness
    }

    func noteReload(applied: Bool) {
        reloads.withLock { reloads in
            if applied { reloads.applied += 1 } else { reloads.refused += 1 }
        }
    }

    /// Returns what there is to say at the moment.
    @Sendable func families() async -> [MetricFamily] {
        let reloads = reloads.withLock { $0 }
        let logins = proxy.failedLogins
        async let files = fromFiles()
        async let counted = proxy.metricFamilies()
        return await counted + files + [
            MetricFamily(
                "paraph_build_info",
                .gauge,
                "Always 1, with the version of the program and the commit that it is built from.",
                samples: [
                    MetricFamily.Sample(
                        labels: [("version", BuildInformation.version), ("commit", BuildInformation.commit)],
                        value: 1
                    )
                ]
            ),
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
                samples: [MetricFamily.Sample(labels: [], value: LogSink.process.droppedLines)]
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

    /// Returns the metrics that files are read for. Those whose file system, such as the vault's, does not answer in
    /// time are left out.
    private func fromFiles() async -> [MetricFamily] {
        let (answers, newAnswers) = AsyncStream<[MetricFamily]>.makeStream()
        NIOThreadPool.singleton.submit { _ in newAnswers.yield(ProcessMetrics.families()) }
        Task { newAnswers.yield([await ready]) }
        let timer = Task {
            try await Task.sleep(for: Self.timeForFiles)
            newAnswers.finish()
        }
        defer { timer.cancel() }
        var found: [[MetricFamily]] = []
        for await answer in answers {
            found.append(answer)
            if found.count == 2 { break }
        }
        return found.flatMap(\.self)
    }

    /// The answer of `GET /readyz`, as a metric.
    private var ready: MetricFamily {
        get async {
            let missing = await readiness.missing
            return MetricFamily(
                "paraph_ready",
                .gauge,
                "1 where a part is ready that requests need, else 0: GET /readyz says the same.",
                samples: Readiness.Part.allCases.map { part in
                    MetricFamily.Sample(labels: [("part", part.rawValue)], value: missing.contains(part) ? 0 : 1)
                }
            )
        }
    }
}
