import Inspection
import Logging
import NIOCore
import OpenTelemetry
import PrometheusMetrics
import Settings

/// The parts that last for the whole life of the proxy, whatever is reloaded, and are shared by all event loops.
struct ProxyCommon: Sendable {
    let group: any EventLoopGroup
    let clock: any ProxyClock
    let keeping: TokenKeeperCommon
    let trust: TrustMonitor
    let apiRequests = APIRequestCounters()
    let usages: ClientUsages
    let logins: LoginGuard
    let ownListeners = OwnListeners()
    let names: NameResolvers
    /// The counts of each event loop.
    private let registries: [ObjectIdentifier: MetricsRegistry]
    /// The counts that are of no event loop.
    let sharedRegistry = MetricsRegistry()
    /// The accounts that metrics name, where the configuration wants that.
    let accountLabels = AccountLabels()
    let journal = RequestJournal()
    /// The spans that wait for the collector.
    let spans: SpanQueue
    let logger: Logger

    init(
        group: any EventLoopGroup,
        clock: any ProxyClock,
        limits: ProxyLimits,
        resolve: @escaping NameLookups.Resolve,
        memoryAbated: @escaping @Sendable () -> Void,
        logger: Logger
    ) {
        self.group = group
        self.clock = clock
        keeping = TokenKeeperCommon(clock: clock, logger: logger)
        spans = SpanQueue(registry: sharedRegistry)
        registries = Dictionary(
            group.makeIterator().map { (ObjectIdentifier($0), MetricsRegistry()) },
            uniquingKeysWith: { first, _ in first }
        )
        names = NameResolvers(clock: clock, lineLimit: limits.lookupsInLine, resolve: resolve)
        self.logger = logger
        usages = ClientUsages(clock: clock, logger: logger, memoryAbated: memoryAbated)
        logins = LoginGuard(loop: group.any(), clock: clock, logger: logger)
        trust = TrustMonitor(clock: clock, registry: sharedRegistry, logger: logger)
    }

    /// Makes the spans of requests, where the settings say that requests are traced.
    var tracer: RequestTracer { RequestTracer(tracer: CollectorTracer(queue: spans), clock: clock) }

    /// Returns the registry of one event loop of the group.
    func registry(of loop: any EventLoop) -> MetricsRegistry { registries[ObjectIdentifier(loop)] ?? sharedRegistry }

    /// All that is counted, whatever counted it.
    ///
    /// - Parameter descriptions: The descriptions of the metrics that are wanted.
    func countedFamilies(_ descriptions: [MetricDescription]) -> [MetricFamily] {
        MetricsRegistry.families(of: Array(registries.values) + [sharedRegistry], descriptions)
    }
}
