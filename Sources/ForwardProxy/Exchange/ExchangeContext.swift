import Bytes
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import OpenTelemetry
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
    let signatures: LoopSignatures
    let accessLog: AccessLog
    let meter: RequestMeter
    let journal: RequestJournal
    /// The tracer of requests; nil when nothing is traced.
    let tracer: RequestTracer?
    /// Writes what requests that ended before have in the access log first.
    let logger: Logger
    /// Indicates whether the log tells of each request what was decided and done.
    let tellsDecisions: Bool
    /// Indicates whether the log has the heads of each request.
    let tellsHeads: Bool
    let scratch = HeadScratch()
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
        signatures: LoopSignatures,
        meter: RequestMeter,
        journal: RequestJournal,
        tracer: RequestTracer?,
        accessLog output: AccessLogOutput?,
        logger: Logger
    ) {
        self.loop = loop
        self.clock = clock
        self.settings = settings
        self.apis = apis
        self.usages = usages
        self.tokens = tokens
        self.signatures = signatures
        self.meter = meter
        self.journal = journal
        self.tracer = tracer
        accessLog = AccessLog(loop: loop, clock: clock, output: output)
        self.logger = accessLog.ordering(logger)
        tellsDecisions = output.map { $0.level <= .debug } ?? false
        tellsHeads = output.map { $0.level <= .trace } ?? false
    }

    /// The TLS of the upstream that a request goes to; nil when it is reached in clear text.
    func tls(of route: RequestRoute) -> UpstreamTLS? { route.api.flatMap { apis[$0.index].tls } }

    // MARK: Use

    func exchangeBegan() {
        exchanges += 1
    }

    /// Counts an exchange and tells of it; called once for each exchange that began.
    ///
    /// - Parameter outcome: How it ended where the status does not tell.
    func exchangeEnded(_ exchange: Exchange, _ record: ExchangeRecord, outcome: String?) {
        let end = clock.now
        meter.ended(record, exchange.head.method, api: exchange.route.api?.index, at: end)
        if accessLog.isOn || journal.isRecording || tracer != nil {
            tell(summary(of: exchange, record, end: end, outcome: outcome), exchange.head)
        }
        exchange.admission?.end()
        exchanges -= 1
        reportIfUnused()
    }

    /// Reports an exchange that has become a tunnel, which is no request any more; called in place of the other.
    func exchangeSwitched(_ exchange: Exchange, _ record: ExchangeRecord) {
        meter.ended(record, exchange.head.method, api: exchange.route.api?.index, at: clock.now)
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

    /// Tells of what is over.
    func tell(_ summary: RequestSummary, _ head: RequestHead?) {
        accessLog.append(summary)
        tracer?.trace(summary)
        guard journal.isRecording else { return }
        let field = summary.api.flatMap { name in apis.first { $0.settings.name == name }?.tokenField }
        var request = InspectedRequest(summary, head: head, hiding: field, time: time(of: summary))
        summary.record.sent?.complete(&request)
        journal.append(request)
    }

    /// Tells the log and whoever looks on that a request has begun.
    func tellBegun(_ exchange: Exchange) {
        if tellsDecisions { tellReceived(exchange) }
        guard journal.isRecording else { return }
        let summary = summary(of: exchange, exchange.record, end: clock.now, outcome: nil)
        exchange.record.begun = began(summary)
    }

    /// Tells whoever looks on that a request, or a tunnel, has begun.
    ///
    /// - Returns: Its number in the journal; nil when it is not recorded.
    func began(_ summary: RequestSummary) -> Int? {
        guard journal.isRecording else { return nil }
        return journal.begin(InspectedRequest(summary, head: nil, hiding: nil, time: time(of: summary)))
    }

    /// Returns the time at which the head of a request had come, as RFC 3339 has it.
    private func time(of summary: RequestSummary) -> String {
        let since = Int64(summary.end.uptimeNanoseconds - summary.record.start.uptimeNanoseconds)
        var text = ByteBuffer()
        var format = LogClock()
        format.write(clock.wallTime.advanced(by: .nanoseconds(-since)), into: &text)
        return String(buffer: text)
    }

    // MARK: Log

    /// Returns all that is told of an exchange.
    func summary(
        of exchange: Exchange,
        _ record: ExchangeRecord,
        end: NIODeadline,
        outcome: String?
    ) -> RequestSummary {
        let account = exchange.route.accountReference
        return RequestSummary(
            record: record,
            end: end,
            method: exchange.head.methodBytes,
            authority: exchange.route.authority.description,
            scheme: exchange.route.scheme,
            target: exchange.route.requestTarget,
            api: account.map { apis[$0.api].settings.name },
            account: account.map { apis[$0.api].name(of: $0) },
            client: exchange.route.clientName,
            address: exchange.client.address.flatMap { IPAddress($0) },
            version: exchange.head.version,
            traceParent: exchange.head.traceParent,
            traceState: exchange.head.traceState,
            traced: traced(exchange),
            outcome: outcome
        )
    }

    /// Tells of a request that the provider refused where there is no access log, whose line says the same: once in a
    /// while for each cause.
    func reportRefusal(_ sentence: String, cause: String, status: Int, _ route: RequestRoute) {
        guard !accessLog.isOn, let account = route.accountReference else { return }
        let api = apis[account.api].settings.name
        let name = apis[account.api].name(of: account)
        guard refusalReports.permits("\(api)/\(name)/\(cause)", now: clock.now) else { return }
        logger.warning(
            "the provider refused a request",
            metadata: [
                "api": "\(api)", "account": "\(name)", "status": .stringConvertible(status), "reason": "\(cause)",
                "detail": "\(sentence)",
            ]
        )
    }
}

@available(*, unavailable)
extension ExchangeContext: Sendable {}
