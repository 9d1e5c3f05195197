import Bytes
import HTTP1Codec
import HTTP2Codec
import Inspection
import NIOCore
import OpenTelemetry
import Routing
import Settings

// MARK: - What is told of requests that are no exchanges

extension ExchangeContext {
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

    /// Returns the index of an API by its name.
    func index(of api: String?) -> Int? { api.flatMap { name in apis.firstIndex { $0.settings.name == name } } }

    private func ended(_ request: EarlyRequest, _ record: ExchangeRecord, outcome: String?) {
        let end = clock.now
        meter.ended(record, request.head?.method ?? .other, api: request.api, at: end)
        guard accessLog.isOn || journal.isRecording || tracer != nil else { return }
        var summary = summary(of: request, record, end: end, outcome: outcome)
        if record.error != nil { tellRefused(&summary) }
        tell(summary, request.head)
    }

    /// Counts a tunnel that stands.
    ///
    /// - Returns: The summary that is to be told of it once it has ended.
    func tunnelBegan(_ request: EarlyRequest) -> RequestSummary {
        var record = request.record
        record.status = 200
        let now = clock.now
        record.established = now - record.start
        meter.ended(record, .connect, api: request.api, at: now)
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
        let scheme = head?.method == .connect ? nil : request.scheme ?? head?.targetScheme
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
            traced: traced(scheme: scheme, upstream: nil),
            outcome: outcome
        )
    }

    // MARK: Traces

    /// Returns nil where nothing is traced.
    func traced(_ exchange: Exchange) -> TracedRequest? {
        let route = exchange.route
        let scheme = route.gateway == nil ? exchange.head.targetScheme ?? .https : .http
        return traced(scheme: scheme, upstream: route.scheme)
    }

    private func traced(scheme: URIScheme?, upstream: URIScheme?) -> TracedRequest? {
        tracer == nil ? nil : TracedRequest(scheme: scheme, upstreamScheme: upstream)
    }
}

extension RequestHead {
    /// The trace that the request says it belongs to. One of several that it names is none.
    var traceParent: TraceParent? {
        guard fields.contains(.traceParent) else { return nil }
        var values = fields.values(of: .traceParent)
        guard let value = values.next(), values.next() == nil else { return nil }
        return TraceParent(value.readableBytesView)
    }

    /// The value of `tracestate`, which other systems have set for that trace: all fields as one (RFC 9110,
    /// section 5.3). Nil without a trace: one that begins here does not take it over (W3C Trace Context, section 3.3).
    var traceState: String? {
        guard fields.contains(.traceState), traceParent != nil else { return nil }
        return fields.values(of: .traceState).map { String(buffer: $0) }.filter { !$0.isEmpty }.joined(separator: ",")
    }

    /// The request-target in origin-form; nil where it names no resource, or is malformed.
    fileprivate var originTarget: ByteBuffer? {
        guard targetForm == .absolute else { return targetForm == .origin ? target : nil }
        let view = target.readableBytesView
        guard let colon = view.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let authority = view[colon...].dropFirst(3)
        return ByteBuffer(authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
    }

    /// The scheme that the request names itself; nil where it names none.
    fileprivate var targetScheme: URIScheme? {
        if let scheme { return scheme }
        guard targetForm == .absolute else { return nil }
        return target.readableBytesUInt8Span.hasPrefixIgnoringCase("https:") ? .https : .http
    }
}
