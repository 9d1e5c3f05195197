import HTTP1Codec
import NIOCore
import Routing
import Settings

/// Makes the workers of one configuration, one for each event loop.
struct WorkerFactory: Sendable {
    let common: ProxyCommon
    let settings: ProxySettings
    let apis: [APIContext]
    let listeners: ListenerPurposes
    /// The limits of requests; nil when requests are not counted.
    let requestLimits: RequestLimits?
    let leaves: LeafContexts
    let keeper: TokenKeeper
    /// The destination and the form of access log lines; nil for none.
    let accessLog: AccessLogOutput?

    /// Returns the worker of an event loop. To be called on it, where the worker stays.
    func makeWorker(on loop: any EventLoop) -> ProxyWorker {
        var messageLimits = MessageLimits()
        messageLimits.headerBytes = settings.limits.header
        messageLimits.fields = MessageLimits.fields(headerBytes: settings.limits.header)
        let connector = UpstreamConnector(
            loop: loop,
            networks: settings.router.access.networks,
            otherHostsNetworks: settings.router.access.otherHostsNetworks,
            ownListeners: common.ownListeners,
            names: common.names,
            terms: UpstreamTerms(
                messageLimits: messageLimits,
                timeouts: settings.timeouts,
                clock: common.clock
            )
        )
        let metrics = LoopMetrics(
            registry: common.registry(of: loop),
            apis: apis.map(\.settings.name),
            accounts: settings.namesAccountsInMetrics ? common.accountLabels : nil
        )
        let loops = common.group.makeIterator().reduce(0) { count, _ in count + 1 }
        let pool = UpstreamPool(
            connector: connector,
            apis: apis,
            upstreamProxy: settings.upstreamProxy,
            limits: UpstreamPoolLimits(
                idlePerTarget: max(1, settings.limits.pooledPerHost / max(1, loops)),
                perClient: settings.limits.upstreamPerClient
            ),
            usages: common.usages,
            metrics: metrics
        )
        let exchanges = exchanges(on: loop, pool: pool, metrics: metrics)
        return ProxyWorker(
            listeners: listeners,
            logins: common.logins,
            leaves: leaves,
            admissions: Admissions(
                requests: requestLimits,
                tunnelsPerClient: settings.limits.tunnelsPerClient,
                usages: common.usages,
                pool: pool
            ),
            messageLimits: messageLimits,
            tunnels: connector.forOtherHosts,
            pool: pool,
            exchanges: exchanges,
            earlyRequests: EarlyRequests(
                apis: apis,
                clock: common.clock,
                meter: exchanges.meter,
                decisions: exchanges.decisions,
                reporter: exchanges.reporter
            )
        )
    }

    private func exchanges(on loop: any EventLoop, pool: UpstreamPool, metrics: LoopMetrics) -> ExchangeContext {
        let transport = ExchangeTransport(
            loop: loop,
            pool: pool,
            apis: apis,
            timeouts: settings.timeouts,
            clock: common.clock
        )
        let meter = RequestMeter(metrics: metrics, apis: apis, clock: common.clock)
        let reporter = RequestReporter(
            accessLog: AccessLog(loop: loop, clock: common.clock, output: accessLog),
            journal: common.journal,
            tracer: settings.tracing.map { _ in common.tracer },
            apis: apis,
            clock: common.clock,
            logger: common.logger
        )
        return ExchangeContext(
            loop: loop,
            clock: common.clock,
            settings: settings,
            apis: apis,
            usages: common.usages,
            tokens: WorkerTokens(apis: apis, keeper: keeper, transport: transport),
            signatures: LoopSignatures(apis: apis, meter: meter, clock: common.clock),
            meter: meter,
            decisions: DecisionLog(
                logger: reporter.logger,
                level: accessLog?.level,
                apis: apis,
                journal: common.journal
            ),
            reporter: reporter
        )
    }
}
