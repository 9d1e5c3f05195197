import Bytes
import Credentials
import HTTP1Codec
import Inspection
import Logging
import NIOCore
import OpenTelemetry
import OAuthSigning
import Routing
import Settings
import Synchronization

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
    let metrics: LoopMetrics
    let journal: RequestJournal
    /// Nil: nothing is traced.
    let tracer: RequestTracer?
    /// Writes what requests that ended before have in the access log first.
    let logger: Logger
    /// Indicates whether the log tells of each request what was decided and done.
    let tellsDecisions: Bool
    /// Indicates whether the log has the heads of each request.
    let tellsHeads: Bool
    private static let requestNumbers = Atomic<Int>(0)
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
        metrics: LoopMetrics,
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
        self.metrics = metrics
        self.journal = journal
        self.tracer = tracer
        accessLog = AccessLog(loop: loop, clock: clock, output: output)
        self.logger = accessLog.ordering(logger)
        tellsDecisions = output.map { $0.level <= .debug } ?? false
        tellsHeads = output.map { $0.level <= .trace } ?? false
        var generator = SystemRandomNumberGenerator()
        nonces = NonceSource(generator: &generator)
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
        count(record, exchange, end)
        if accessLog.isOn || journal.isRecording || tracer != nil {
            tell(summary(of: exchange, record, end: end, outcome: outcome), exchange)
        }
        exchange.admission?.end()
        exchanges -= 1
        reportIfUnused()
    }

    /// Reports an exchange that has become a tunnel, which is no request any more; called in place of the other.
    func exchangeSwitched(_ exchange: Exchange, _ record: ExchangeRecord) {
        count(record, exchange, clock.now)
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

    /// A request has waited for a token.
    func tookToken(_ route: RequestRoute, _ wait: TimeAmount) {
        metrics.api(route.api?.index)
            .tokenTook(wait, account: route.accountReference.map { apis[$0.api].name(of: $0) })
    }

    private func count(_ record: ExchangeRecord, _ exchange: Exchange, _ end: NIODeadline) {
        let api = metrics.api(exchange.route.api?.index)
        api.requestEnded(exchange.head.method, status: record.status)
        api.requestTook(end - record.start)
        metrics.moved(requestBytes: record.requestBytes, responseBytes: record.responseBytes)
        if let error = record.error { metrics.refused(error) }
    }

    private func tell(_ summary: RequestSummary, _ exchange: Exchange) {
        accessLog.append(summary)
        trace(summary, exchange.head)
        guard journal.isRecording else { return }
        var request = InspectedRequest(summary, head: exchange.head, time: time(of: summary))
        request.address = exchange.client.address?.ipAddress
        exchange.sentInspection?.complete(&request)
        journal.append(request)
    }

    private func trace(_ summary: RequestSummary, _ head: RequestHead?) {
        guard let tracer else { return }
        tracer.trace(summary, in: summary.traceParent, state: head?.fields.string(of: .traceState) ?? "")
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

    static func newRequestNumber() -> Int { requestNumbers.add(1, ordering: .relaxed).newValue }

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
            target: exchange.route.requestTarget,
            api: account.map { apis[$0.api].settings.name },
            account: account.map { apis[$0.api].name(of: $0) },
            client: exchange.route.clientName,
            address: exchange.client.address.flatMap { IPAddress($0) },
            version: exchange.head.version,
            traceParent: exchange.head.traceParent,
            outcome: outcome
        )
    }

    /// Counts a request that was answered before it became an exchange, and tells of it.
    ///
    /// - Parameters:
    ///   - head: Nil when none could be read.
    ///   - address: The client's; nil when it is not known.
    func refused(_ head: RequestHead?, _ problem: Problem, from address: SocketAddress?) {
        metrics.api(nil).requestEnded(head?.method ?? .other, status: problem.status)
        metrics.refused(problem.token)
        guard accessLog.isOn || journal.isRecording || tracer != nil else { return }
        let now = clock.now
        var record = ExchangeRecord(start: now)
        record.note(problem)
        let summary = RequestSummary(
            record: record,
            end: now,
            method: head?.methodBytes ?? ByteBuffer(staticString: "-"),
            authority: head?.fields.string(of: .host).map { String($0.prefix(255)) } ?? "-",
            target: head?.targetForm == .origin ? head?.target : nil,
            address: address.flatMap { IPAddress($0) },
            version: head?.version,
            traceParent: head?.traceParent
        )
        accessLog.append(summary)
        trace(summary, head)
        if journal.isRecording { journal.append(InspectedRequest(summary, head: head, time: time(of: summary))) }
    }

    /// Counts what has gone through a tunnel, and tells of it.
    func tunnelEnded(_ summary: RequestSummary, received: Int, receivedByPartner: Int) {
        metrics.moved(requestBytes: received, responseBytes: receivedByPartner)
        accessLog.append(summary)
        if journal.isRecording { journal.append(InspectedRequest(summary, head: nil, time: time(of: summary))) }
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
                "api": "\(api)", "account": "\(name)", "status": "\(status)", "reason": "\(cause)",
                "detail": "\(sentence)",
            ]
        )
    }
}

extension RequestHead {
    /// The trace that the request says it belongs to.
    fileprivate var traceParent: TraceParent? {
        guard fields.contains(.traceParent), let value = fields.value(of: .traceParent) else { return nil }
        return TraceParent(value.readableBytesView)
    }
}

@available(*, unavailable)
extension ExchangeContext: Sendable {}
