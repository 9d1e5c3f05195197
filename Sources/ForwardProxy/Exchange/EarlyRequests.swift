import Bytes
import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings

/// Counts and tells of requests that are over before they become exchanges, and of tunnels.
struct EarlyRequests {
    private let apis: [APIContext]
    private let clock: any ProxyClock
    private let meter: RequestMeter
    private let decisions: DecisionLog
    private let reporter: RequestReporter

    init(
        apis: [APIContext],
        clock: any ProxyClock,
        meter: RequestMeter,
        decisions: DecisionLog,
        reporter: RequestReporter
    ) {
        self.apis = apis
        self.clock = clock
        self.meter = meter
        self.decisions = decisions
        self.reporter = reporter
    }

    /// Counts a request that was answered before it became an exchange, and tells of it.
    func refused(_ request: EarlyRequest, _ problem: Problem) {
        var record = request.record
        record.connectionFailed = request.connection != nil
        meter.moved(responseBytes: record.note(answer: problem, to: request.head?.method))
        ended(request, record, outcome: nil)
    }

    /// Counts a request whose stream was reset, since HTTP/2 has no answer to what is malformed in this way, and tells of
    /// it.
    func reset(_ request: EarlyRequest, for error: HTTP2StreamError) {
        var record = request.record
        record.error = .httpRequestError
        record.details = "\(error)"
        ended(request, record, outcome: "stream reset")
    }

    /// Counts a request that its client gave up before there was an answer, and tells of it.
    func givenUp(_ request: EarlyRequest) {
        var record = request.record
        record.connectionFailed = request.connection != nil
        ended(request, record, outcome: "client closed")
    }

    private func ended(_ request: EarlyRequest, _ record: ExchangeRecord, outcome: String?) {
        let end = clock.now
        meter.ended(record.end(at: end), request.head?.method ?? .other, api: request.api)
        guard reporter.tellsEnds else { return }
        var summary = summary(of: request, record, end: end, outcome: outcome)
        if record.error != nil { summary.record.number = decisions.tellRefused(summary) }
        reporter.tell(summary, request.head)
    }

    /// Counts a tunnel that stands.
    ///
    /// - Returns: The summary that is to be told of it once it has ended.
    func tunnelBegan(_ request: EarlyRequest) -> RequestSummary {
        var record = request.record
        record.status = 200
        let now = clock.now
        record.established = now - record.start
        meter.ended(record.end(at: now), .connect, api: request.api)
        var summary = summary(of: request, record, end: now, outcome: "tunnel closed")
        // The head's own bytes are a slice of a larger buffer.
        summary.method = ByteBuffer(staticString: "CONNECT")
        return summary
    }

    private func summary(
        of request: EarlyRequest,
        _ record: ExchangeRecord,
        end: NIODeadline,
        outcome: String?
    ) -> RequestSummary {
        let head = request.head
        let scheme = head?.method == .connect ? nil : request.scheme ?? head?.namedScheme
        let named = head?.namedAuthority(within: scheme ?? .https)
        return RequestSummary(
            record: record,
            end: end,
            method: head?.methodBytes ?? ByteBuffer(),
            authority: request.authority?.description ?? named?.text ?? "",
            scheme: scheme ?? (request.authority == nil ? named?.scheme : nil),
            target: head?.originTarget,
            api: request.api.map { apis[$0].settings.name },
            client: request.client,
            address: request.address.flatMap { IPAddress($0) },
            version: head?.version,
            traceParent: head?.traceParent,
            traceState: head?.traceState,
            traced: reporter.traced(scheme: scheme, upstream: nil),
            outcome: outcome
        )
    }
}

@available(*, unavailable)
extension EarlyRequests: Sendable {}
