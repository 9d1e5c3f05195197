import CoreMetrics
import Credentials
import HTTP1Codec
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings

/// The parts that one configuration makes for one event loop, shared by all its requests without a lock.
final class ProxyWorker {
    let loop: any EventLoop
    let clock: any ProxyClock
    let settings: ProxySettings
    let apis: [APIContext]
    /// The purpose of connections to each listener.
    let listeners: [ListenerKey: ListenerPurpose]
    /// The TLS of the proxy's own listener; nil: it speaks clear text.
    let listenerTLS: ListenerTLS?
    /// Nil: requests are not counted.
    let requestLimits: RequestLimits?
    let usages: ClientUsages
    let leaves: LeafContexts
    let logins: LoginGuard
    let logger: Logger
    let messageLimits: MessageLimits
    let connector: UpstreamConnector
    let pool: UpstreamPool
    let exchanges: ExchangeContext
    private var handshakeReports = RateLimiter()

    /// - Parameter accessLog: Where access log lines go, and how; nil for none.
    init(
        loop: any EventLoop,
        common: ProxyCommon,
        settings: ProxySettings,
        apis: [APIContext],
        listeners: [ListenerKey: ListenerPurpose],
        listenerTLS: ListenerTLS?,
        requestLimits: RequestLimits?,
        leaves: LeafContexts,
        keeper: TokenKeeper,
        idlePerTarget: Int,
        accountLabels: AccountLabels?,
        accessLog: AccessLogOutput?
    ) {
        self.loop = loop
        clock = common.clock
        self.settings = settings
        self.apis = apis
        self.listeners = listeners
        self.listenerTLS = listenerTLS
        self.requestLimits = requestLimits
        usages = common.usages
        self.leaves = leaves
        logins = common.logins
        var limits = MessageLimits()
        limits.headerBytes = settings.limits.header
        limits.fields = MessageLimits.fields(headerBytes: settings.limits.header)
        messageLimits = limits
        connector = UpstreamConnector(
            loop: loop,
            networks: settings.router.access.networks,
            otherHostsNetworks: settings.router.access.otherHostsNetworks,
            ownListeners: common.ownListeners,
            names: common.names,
            timeouts: settings.timeouts,
            clock: clock,
            limits: limits
        )
        let metrics = LoopMetrics(
            registry: common.registry(of: loop),
            apis: apis.map(\.settings.name),
            accounts: accountLabels
        )
        pool = UpstreamPool(
            connector: connector,
            apis: apis,
            upstreamProxy: settings.upstreamProxy,
            idlePerTarget: idlePerTarget,
            usages: usages,
            connectionsPerClient: settings.limits.upstreamPerClient,
            metrics: metrics
        )
        let transport = ExchangeTransport(
            loop: loop,
            pool: pool,
            apis: apis,
            timeouts: settings.timeouts,
            clock: clock
        )
        exchanges = ExchangeContext(
            loop: loop,
            clock: clock,
            settings: settings,
            apis: apis,
            usages: usages,
            tokens: WorkerTokens(apis: apis, keeper: keeper, transport: transport),
            metrics: metrics,
            journal: common.journal,
            tracer: settings.tracing.map { _ in common.tracer },
            accessLog: accessLog,
            logger: common.logger
        )
        logger = exchanges.logger
    }

    func connections(for interception: Interception) -> TargetPool {
        pool.connections(
            to: UpstreamTarget(kind: .api(interception.route.index), authority: interception.upstream)
        )
    }

    func close() {
        pool.closeIdle()
        exchanges.accessLog.flush()
    }

    /// A client that does not trust the local CA is the commonest trouble of all: say so, but of each client and host
    /// not once a request, unless everything is told.
    ///
    /// - Parameters:
    ///   - authority: The intercepted one; nil: the client spoke to the proxy itself.
    ///   - address: The client's; nil where it is not known.
    func reportClientHandshake(_ failure: ClientHandshakeFailure, authority: Authority?, address: SocketAddress?) {
        let untrusted = authority == nil ? "the proxy's certificate (listen.proxy.certificate)" : "the local CA"
        let metrics = exchanges.metrics
        let (message, reason, isAboutTrust) =
            switch failure {
            case .untrusting(let reason):
                ("a client broke off the TLS handshake: it does not trust \(untrusted)", reason, true)
            case .probablyUntrusting(let reason):
                ("a client broke off the TLS handshake: it probably does not trust \(untrusted)", reason, true)
            case .other(let reason): ("the TLS handshake with a client failed", reason, false)
            }
        switch failure {
        case .untrusting: metrics.untrustingClients.increment()
        case .probablyUntrusting: metrics.probablyUntrustingClients.increment()
        case .other: metrics.otherFailedHandshakes.increment()
        }
        let key = "\(PeerAddress(address)) \(authority?.host ?? "")"
        let isNew = handshakeReports.permits(key, now: clock.now)
        guard isNew || logger.logLevel <= .debug else { return }
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let authority { metadata["host"] = "\(authority.host)" } else { metadata["listener"] = "proxy" }
        if let address = address?.ipAddress { metadata["address"] = "\(address)" }
        if isAboutTrust {
            metadata["advice"] =
                authority == nil
                ? "have the client trust the CA that issued it"
                : "start the client with the variables that paraph env prints, or have it trust what paraph ca export writes"
        }
        logger.log(level: isNew ? .warning : .debug, "\(message)", metadata: metadata)
    }
}

@available(*, unavailable)
extension ProxyWorker: Sendable {}
