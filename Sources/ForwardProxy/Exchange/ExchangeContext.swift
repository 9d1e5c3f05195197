import Credentials
import HTTP1Codec
import Logging
import NIOCore
import OAuthSigning
import Routing
import Settings

/// The state that the exchanges of one event loop share under one configuration: what they are made with, and what is
/// kept and told of them.
final class ExchangeContext {
    let loop: any EventLoop
    let clock: any ProxyClock
    let settings: ProxySettings
    let apis: [APIContext]
    let usages: ClientUsages
    let tokens: WorkerTokens
    let accessLog: AccessLog
    let logger: Logger
    var nonces: NonceSource
    let scratch = HeadScratch()
    var signingScratch = SigningScratch()
    private var exchanges = 0
    private var onUnused: (() -> Void)?
    private var refusalReports = RateLimiter()

    init(
        loop: any EventLoop,
        clock: any ProxyClock,
        settings: ProxySettings,
        apis: [APIContext],
        usages: ClientUsages,
        tokens: WorkerTokens,
        logSink: LogSink?,
        logger: Logger
    ) {
        self.loop = loop
        self.clock = clock
        self.settings = settings
        self.apis = apis
        self.usages = usages
        self.tokens = tokens
        self.logger = logger
        accessLog = AccessLog(loop: loop, clock: clock, format: settings.accessLogFormat, sink: logSink)
        var generator = SystemRandomNumberGenerator()
        nonces = NonceSource(generator: &generator)
    }

    // MARK: Use

    func exchangeBegan() {
        exchanges += 1
    }

    /// Reports what is to be logged of an exchange; called once for each exchange that began.
    ///
    /// - Parameter outcome: How it ended where the status does not tell.
    func exchangeEnded(_ exchange: Exchange, _ record: AccessRecord, outcome: String?) {
        log(record, exchange, outcome: outcome)
        exchange.admission?.end()
        exchanges -= 1
        reportIfUnused()
    }

    /// Reports an exchange that has become a tunnel, which is no request any more; called in place of the other.
    func exchangeSwitched() {
        exchanges -= 1
        reportIfUnused()
    }

    /// Another worker has taken its place.
    ///
    /// - Parameter onUnused: Called once, when no request is left.
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

    // MARK: Log

    private func log(_ record: AccessRecord, _ exchange: Exchange, outcome: String?) {
        guard accessLog.isOn else { return }
        let account = exchange.route.accountReference
        let api = account.map { apis[$0.api].settings }
        accessLog.append(
            record,
            method: exchange.head.methodBytes,
            authority: exchange.route.authority.description,
            target: exchange.route.requestTarget,
            api: api?.name,
            account: account.map { apis[$0.api].name(of: $0) },
            client: exchange.route.clientName,
            outcome: outcome
        )
    }

    /// A request that was answered before it became an exchange.
    /// - Parameter head: Nil when none could be read.
    func logRefusal(_ problem: Problem, _ head: RequestHead?) {
        guard accessLog.isOn else { return }
        var record = AccessRecord(start: clock.now)
        record.note(problem)
        accessLog.append(
            record,
            method: head?.methodBytes ?? ByteBuffer(staticString: "-"),
            authority: head?.fields.string(of: .host).map { String($0.prefix(255)) } ?? "-",
            target: head?.targetForm == .origin ? head?.target : nil,
            api: nil,
            account: nil,
            client: nil,
            outcome: nil
        )
    }

    /// Every refusal is in the access log; here it stands out, but not once a request.
    func reportRefusal(_ sentence: String, cause: String, status: Int, _ route: RequestRoute) {
        guard let account = route.accountReference else { return }
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
}

@available(*, unavailable)
extension ExchangeContext: Sendable {}
