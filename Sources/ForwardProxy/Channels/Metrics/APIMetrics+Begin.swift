import CoreMetrics
import Credentials
import HTTP1Codec
import PrometheusMetrics
import Settings

extension APIMetrics {
    /// The number of APIs whose requests have counters before there was one.
    private static let mostBegun = 100

    /// Starts the counters that alerts watch at 0, so that the first event is an increase: a counter that comes up with 1
    /// is none to Prometheus.
    static func begin(_ apis: [APISettings], in registry: MetricsRegistry) {
        func begin(_ metric: MetricDescription, _ api: String, _ label: (String, String)...) {
            _ = Counter(label: metric.name, dimensions: [("api", api)] + label, factory: registry)
        }
        let names = apis.prefix(mostBegun).map(\.name)
        for api in names + [""] {
            for error in ProxyErrorToken.allCases { begin(ProxyMetrics.refusals, api, ("reason", error.rawValue)) }
        }
        for api in names {
            for cause in ProviderDiagnosis.Cause.allCases {
                begin(ProxyMetrics.providerRefusals, api, ("diagnosis", cause.rawValue))
            }
            for method in RequestMethod.allCases {
                let status = StatusClass.serverError.label
                begin(ProxyMetrics.requests, api, ("method", method.label), ("status", status))
            }
        }
    }
}
