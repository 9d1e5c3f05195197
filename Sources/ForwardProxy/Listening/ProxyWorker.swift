import Credentials
import HTTP1Codec
import Logging
import NIOCore
import OAuthSigning
import Routing

/// What one configuration makes for one event loop, shared by all its requests without a lock.
final class ProxyWorker {
    let loop: any EventLoop
    let clock: any ProxyClock
    let settings: ProxySettings
    let apis: [APIContext]
    /// What connections to each listener are for.
    let listeners: [ListenerKey: ListenerPurpose]
    /// Nil: requests are not counted.
    let requestLimits: RequestLimits?
    let usages: ClientUsages
    let leaves: LeafContexts
    let logins: LoginGuard
    let logger: Logger
    let messageLimits: MessageLimits
    let connector: UpstreamConnector
    let pool: UpstreamPool
    let tokens: WorkerTokens
    let accessLog: AccessLog
    var nonces: NonceSource
    let scratch = HeadScratch()
    var signingScratch = SigningScratch()
    private var exchanges = 0
    private var onUnused: (() -> Void)?
    private var handshakeReports = RateLimiter()
    private var refusalReports = RateLimiter()

    init(
        loop: any EventLoop,
        clock: any ProxyClock,
        settings: ProxySettings,
        apis: [APIContext],
        listeners: [ListenerKey: ListenerPurpose],
        requestLimits: RequestLimits?,
        usages: ClientUsages,
        leaves: LeafContexts,
        keeper: TokenKeeper,
        ownListeners: OwnListeners,
        names: NameResolvers,
        logins: LoginGuard,
        idlePerTarget: Int,
        logSink: LogSink?,
        logger: Logger
    ) {
        self.loop = loop
        self.clock = clock
        self.settings = settings
        self.apis = apis
        self.listeners = listeners
        self.requestLimits = requestLimits
        self.usages = usages
        self.leaves = leaves
        self.logins = logins
        self.logger = logger
        var limits = MessageLimits()
        limits.headerOctets = settings.limits.header
        limits.fields = MessageLimits.fields(headerOctets: settings.limits.header)
        self.messageLimits = limits
        self.connector = UpstreamConnector(
            loop: loop,
            networks: settings.router.access.networks,
            otherHostsNetworks: settings.router.access.otherHostsNetworks,
            ownListeners: ownListeners,
            names: names,
            timeouts: settings.timeouts,
            clock: clock,
            limits: limits
        )
        self.pool = UpstreamPool(
            connector: connector,
            apis: apis,
            upstreamProxy: settings.upstreamProxy,
            idlePerTarget: idlePerTarget,
            usages: usages,
            connectionsPerClient: settings.limits.upstreamPerClient
        )
        self.tokens = WorkerTokens(
            apis: apis,
            keeper: keeper,
            transport: ExchangeTransport(
                loop: loop,
                pool: pool,
                apis: apis,
                timeouts: settings.timeouts,
                clock: clock
            )
        )
        self.accessLog = AccessLog(loop: loop, clock: clock, format: settings.accessLogFormat, sink: logSink)
        var generator = SystemRandomNumberGenerator()
        self.nonces = NonceSource(generator: &generator)
    }

    func connections(for interception: Interception) -> TargetPool {
        pool.connections(
            to: UpstreamTarget(kind: .api(interception.route.index), authority: interception.upstream)
        )
    }

    // MARK: Use

    func exchangeBegan() {
        exchanges += 1
    }

    /// To be called once for each exchange that began, with what is to be logged of it.
    ///
    /// - Parameter outcome: how it ended where the status does not tell.
    func exchangeEnded(_ exchange: Exchange, _ record: AccessRecord, outcome: String?) {
        log(record, exchange, outcome: outcome)
        exchange.admission?.end()
        exchanges -= 1
        reportIfUnused()
    }

    /// To be called instead when an exchange has become a tunnel, which is no request any more.
    func exchangeSwitched() {
        exchanges -= 1
        reportIfUnused()
    }

    /// Another worker has taken its place.
    ///
    /// - Parameter onUnused: called once, when no request is left.
    func retire(onUnused: @escaping () -> Void) {
        self.onUnused = onUnused
        reportIfUnused()
    }

    private func reportIfUnused() {
        guard exchanges == 0, let onUnused else { return }
        self.onUnused = nil
        accessLog.flush()
        onUnused()
    }

    func close() {
        pool.closeIdle()
        accessLog.flush()
    }

    // MARK: Log

    private func log(_ record: AccessRecord, _ exchange: Exchange, outcome: String?) {
        guard accessLog.isOn else { return }
        let account = exchange.route.account
        let api = account.map { apis[$0.api].settings }
        accessLog.append(
            record,
            method: exchange.head.methodOctets,
            authority: exchange.route.authority.description,
            target: exchange.route.requestTarget,
            api: api?.name,
            account: account.map { apis[$0.api].name(of: $0) },
            client: exchange.route.clientName,
            outcome: outcome
        )
    }

    /// A request that was answered before it became an exchange.
    /// - Parameter head: nil when none could be read.
    func logRefusal(_ problem: Problem, _ head: RequestHead?) {
        guard accessLog.isOn else { return }
        var record = AccessRecord(start: clock.now)
        record.note(problem)
        accessLog.append(
            record,
            method: head?.methodOctets ?? ByteBuffer(staticString: "-"),
            authority: head?.fields.string(of: .host).map { String($0.prefix(255)) } ?? "-",
            target: head?.targetForm == .origin ? head?.target : nil,
            api: nil,
            account: nil,
            client: nil,
            outcome: nil
        )
    }

    /// Every refusal is in the access log; here it stands out, but not once a request.
    func reportRefusal(_ sentence: String, cause: String, status: Int, _ route: ExchangeRoute) {
        guard let account = route.account else { return }
        let api = apis[account.api].settings.name
        let name = apis[account.api].name(of: account)
        guard refusalReports.permits("\(api)/\(name)/\(cause)", now: clock.now) else { return }
        logger.warning(
            "the provider refused a request",
            metadata: [
                "api": "\(api)", "account": "\(name)", "status": "\(status)", "reason": "\(cause)",
                "detail": "\(sentence)",
            ]
        )
    }

    func watchTunnel(
        _ near: TunnelHandler,
        of proxyLoop: ProxyLoop,
        authority: Authority,
        client: String?,
        start: NIODeadline
    ) {
        near.clientName = client
        var record = AccessRecord(start: start)
        record.status = 200
        near.onEnd = { received, receivedByPartner in
            proxyLoop.tunnels.remove(near)
            record.requestOctets = received
            record.responseOctets = receivedByPartner
            // This worker's own may have been written out for the last time.
            proxyLoop.worker.accessLog.append(
                record,
                method: ByteBuffer(staticString: "CONNECT"),
                authority: authority.description,
                target: nil,
                api: nil,
                account: nil,
                client: client,
                outcome: "tunnel closed"
            )
        }
    }

    /// The tunnel that a request has become.
    func watchTunnel(_ near: TunnelHandler, of proxyLoop: ProxyLoop, _ exchange: Exchange) {
        var record = exchange.record
        let account = exchange.route.account
        let api = account.map { apis[$0.api].settings.name }
        let name = account.map { apis[$0.api].name(of: $0) }
        let authority = exchange.route.authority.description
        let (method, target) = (exchange.head.methodOctets, exchange.route.requestTarget)
        let client = exchange.route.clientName
        near.clientName = client
        near.onEnd = { received, receivedByPartner in
            proxyLoop.tunnels.remove(near)
            record.requestOctets += received
            record.responseOctets += receivedByPartner
            proxyLoop.worker.accessLog.append(
                record,
                method: method,
                authority: authority,
                target: target,
                api: api,
                account: name,
                client: client,
                outcome: "tunnel closed"
            )
        }
    }

    /// A client that does not trust the local CA is the commonest trouble of all: say so, but not once a request.
    func reportClientHandshakeFailure(_ error: any Error, authority: Authority) {
        guard handshakeReports.permits(authority.host, now: clock.now) else { return }
        let isAboutTrust = TLSWords.isCertificateRefused(error)
        logger.warning(
            isAboutTrust
                ? "a client broke off the TLS handshake: it does not trust the local CA"
                : "the TLS handshake with a client failed",
            metadata: ["host": "\(authority.host)", "reason": "\(TLSWords.describe(error))"]
        )
    }
}

@available(*, unavailable)
extension ProxyWorker: Sendable {}
