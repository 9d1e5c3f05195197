import CoreMetrics
import HTTP1Codec
import NIOCore
import OAuthSigning
import PrometheusMetrics

/// The metrics of the requests for one API, or for hosts of none, on one event loop. Counters are made when first needed,
/// so that there are none of methods that nobody uses.
final class APIMetrics {
    private let registry: MetricsRegistry
    /// Empty for hosts of no API.
    private let api: String
    /// Nil: accounts are not named.
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
    ///   - accounts: Names accounts; nil: nothing does.
    init(api: String, registry: MetricsRegistry, accounts: AccountLabels?) {
        self.api = api
        self.accounts = accounts
        self.registry = registry
        requests = Array(repeating: nil, count: RequestMethod.allCases.count * StatusClass.allCases.count)
        let labels = [("api", api)]
        requestTime = Timer(label: ProxyMetrics.requestTime.name, dimensions: labels, factory: registry)
        firstByte = Timer(label: ProxyMetrics.firstByte.name, dimensions: labels, factory: registry)
    }

    private func timer(_ metric: MetricDescription, _ further: (String, String)...) -> Timer {
        Timer(label: metric.name, dimensions: [("api", api)] + further, factory: registry)
    }

    private func counter(_ metric: MetricDescription, _ further: (String, String)...) -> Counter {
        Counter(label: metric.name, dimensions: [("api", api)] + further, factory: registry)
    }

    /// - Parameter status: Nil where there was no answer.
    func requestEnded(_ method: RequestMethod, status: Int?) {
        let statusClass = StatusClass(status)
        let index = method.index * StatusClass.allCases.count + statusClass.index
        if let counter = requests[index] { return counter.increment() }
        let counter = counter(ProxyMetrics.requests, ("method", method.label), ("status", statusClass.rawValue))
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
    /// - Parameter failure: Why not, one of a bounded set: the result of the last phase.
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

    /// - Parameter diagnosis: One of a bounded set.
    func refused(by diagnosis: String) {
        counter(ProxyMetrics.providerRefusals, ("diagnosis", diagnosis)).increment()
    }

    /// - Parameter cause: One of a bounded set.
    func repeated(because cause: String) {
        counter(ProxyMetrics.repeats, ("cause", cause)).increment()
    }
}

@available(*, unavailable)
extension APIMetrics: Sendable {}

/// The first digit of a status code.
enum StatusClass: String, CaseIterable {
    case informational = "1xx"
    case successful = "2xx"
    case redirection = "3xx"
    case clientError = "4xx"
    case serverError = "5xx"
    /// There was no answer, or none of a class that RFC 9110, section 15, knows.
    case none = "none"

    init(_ status: Int?) {
        switch status ?? 0 {
        case 100..<200: self = .informational
        case 200..<300: self = .successful
        case 300..<400: self = .redirection
        case 400..<500: self = .clientError
        case 500..<600: self = .serverError
        default: self = .none
        }
    }

    var index: Int {
        switch self {
        case .informational: 0
        case .successful: 1
        case .redirection: 2
        case .clientError: 3
        case .serverError: 4
        case .none: 5
        }
    }
}

extension RequestMethod {
    fileprivate var index: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .delete: 4
        case .connect: 5
        case .options: 6
        case .trace: 7
        case .patch: 8
        case .other: 9
        }
    }

    /// The method as a label: a bounded set, as OpenTelemetry's conventions have it (`http.request.method`).
    var label: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .connect: "CONNECT"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .patch: "PATCH"
        case .other: "_OTHER"
        }
    }
}
