import CoreMetrics
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import PrometheusMetrics
import Settings

/// The metrics of the requests for one API, or for hosts of none, on one event loop. Counters are made when first needed,
/// so that there are none of methods that nobody uses.
final class APIMetrics {
    /// The number of APIs whose requests have counters before there was one.
    private static let mostBegun = 100

    private let registry: MetricsRegistry
    /// The name of the API; empty for hosts of none.
    private let api: String
    /// The names of accounts as labels; nil when accounts are not named.
    private let accounts: AccountLabels?
    private var requests: [Counter?]
    /// Nearly always of one method, so that looking through them takes less than hashing.
    private var signatures: [(method: SignatureMethod, counter: Counter)] = []
    private let requestTime: Timer
    private let firstByte: Timer
    private lazy var tokenWait = timer(ProxyMetrics.tokenWait)
    private var connectTimes: [ConnectPhase: Timer] = [:]

    /// - Parameters:
    ///   - api: Its name; empty for hosts of no API.
    ///   - accounts: The names of accounts as labels; nil: accounts are not named.
    init(api: String, registry: MetricsRegistry, accounts: AccountLabels?) {
        self.api = api
        self.accounts = accounts
        self.registry = registry
        requests = Array(repeating: nil, count: RequestMethod.allCases.count * StatusClass.allCases.count)
        let labels = [("api", api)]
        requestTime = Timer(label: ProxyMetrics.requestTime.name, dimensions: labels, factory: registry)
        firstByte = Timer(label: ProxyMetrics.firstByte.name, dimensions: labels, factory: registry)
    }

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

    private func timer(_ metric: MetricDescription, _ further: (String, String)...) -> Timer {
        Timer(label: metric.name, dimensions: [("api", api)] + further, factory: registry)
    }

    private func counter(_ metric: MetricDescription, _ further: (String, String)...) -> Counter {
        Counter(label: metric.name, dimensions: [("api", api)] + further, factory: registry)
    }

    /// - Parameter status: The status of the answer; nil where there was none.
    func requestEnded(_ method: RequestMethod, status: Int?) {
        let statusClass = StatusClass(status)
        let index = method.index * StatusClass.allCases.count + statusClass.rawValue
        if let counter = requests[index] { return counter.increment() }
        let counter = counter(ProxyMetrics.requests, ("method", method.label), ("status", statusClass.label))
        requests[index] = counter
        counter.increment()
    }

    func requestTook(_ time: TimeAmount) { requestTime.recordNanoseconds(time.nanoseconds) }
    func firstByteTook(_ time: TimeAmount) { firstByte.recordNanoseconds(time.nanoseconds) }

    /// - Parameter account: The account's name, asked for where accounts are named.
    func tokenTook(_ time: TimeAmount, account: @autoclosure () -> String?) {
        guard let accounts, let account = account() else { return tokenWait.recordNanoseconds(time.nanoseconds) }
        timer(ProxyMetrics.tokenWait, ("account", accounts.label(of: account, at: api)))
            .recordNanoseconds(time.nanoseconds)
    }

    /// An upstream connection has come up, or has not.
    ///
    /// - Parameter failure: The reason why it has not, one of a bounded set: the result of the last phase.
    func connected(_ times: ConnectTimes, failure: String? = nil) {
        let last: ConnectPhase.Name = times.tls != nil ? .tls : times.tcp != nil ? .tcp : .name
        for (name, time) in [(ConnectPhase.Name.name, times.name), (.tcp, times.tcp), (.tls, times.tls)] {
            guard let time else { continue }
            let phase = ConnectPhase(name: name, result: name == last ? failure ?? "ok" : "ok")
            timer(of: phase).recordNanoseconds(time.nanoseconds)
        }
    }

    private func timer(of phase: ConnectPhase) -> Timer {
        if let timer = connectTimes[phase] { return timer }
        let timer = timer(ProxyMetrics.connectTime, ("phase", phase.name.rawValue), ("result", phase.result))
        connectTimes[phase] = timer
        return timer
    }

    private struct ConnectPhase: Hashable {
        enum Name: String {
            case name
            case tcp
            case tls
        }

        var name: Name
        var result: String
    }

    func signed(by method: SignatureMethod) {
        for signature in signatures where signature.method == method { return signature.counter.increment() }
        let counter = counter(ProxyMetrics.signatures, ("method", method.rawValue))
        signatures.append((method, counter))
        counter.increment()
    }

    /// Counts a request that the proxy has answered itself.
    func answered(_ error: ProxyErrorToken) {
        counter(ProxyMetrics.refusals, ("reason", error.rawValue)).increment()
    }

    /// - Parameter diagnosis: The provider's reason, one of a bounded set.
    func refused(by diagnosis: String) {
        counter(ProxyMetrics.providerRefusals, ("diagnosis", diagnosis)).increment()
    }

    /// - Parameter cause: The cause, one of a bounded set.
    func repeated(because cause: String) {
        counter(ProxyMetrics.repeats, ("cause", cause)).increment()
    }
}

@available(*, unavailable)
extension APIMetrics: Sendable {}

extension RequestMethod {
    /// The method's place in tables, and its label of a bounded set, as OpenTelemetry's conventions have it
    /// (`http.request.method`).
    private var entry: (index: Int, label: String) {
        switch self {
        case .get: (0, "GET")
        case .head: (1, "HEAD")
        case .post: (2, "POST")
        case .put: (3, "PUT")
        case .delete: (4, "DELETE")
        case .connect: (5, "CONNECT")
        case .options: (6, "OPTIONS")
        case .trace: (7, "TRACE")
        case .patch: (8, "PATCH")
        case .other: (9, "_OTHER")
        }
    }

    fileprivate var index: Int { entry.index }

    /// The method as a label.
    var label: String { entry.label }
}
