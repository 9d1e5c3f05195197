import Bytes
import HTTP1Codec
import NIOCore
import OpenTelemetry
import Routing
import ServiceContextModule
import Tracing

/// Makes the spans of requests, once they are over: of the request, and below it of the wait for a token, of the making
/// of a connection, and of the server's part.
struct RequestTracer {
    private let tracer: CollectorTracer
    private let clock: any ProxyClock

    init(tracer: CollectorTracer, clock: any ProxyClock) {
        self.tracer = tracer
        self.clock = clock
    }

    /// Makes the spans of a request that is over, in the trace that it named, or in one of its own.
    func trace(_ summary: RequestSummary) {
        guard let traced = summary.traced, summary.traceParent?.isSampled ?? true else { return }
        let times = Times(now: clock.wallTime, end: summary.end)
        let place = SpanPlace(summary, defaultPort: (traced.upstreamScheme ?? traced.scheme ?? .https).defaultPort)
        var context = ServiceContext.topLevel
        context.trace =
            summary.traceParent.map {
                TraceContext(traceID: $0.traceID, spanID: $0.parentID, state: summary.spanTraceState)
            } ?? TraceContext(traceID: traced.traceID, spanID: nil)
        let record = summary.record
        let span = tracer.startSpan(
            place.name,
            context: context,
            ofKind: .server,
            at: times.instant(record.start),
            function: #function,
            file: #fileID,
            line: #line
        )
        place.describeMethod(of: span)
        place.describeServer(of: span)
        if let scheme = traced.scheme { span.attributes["url.scheme"] = scheme.rawValue }
        if let path = summary.path { span.attributes["url.path"] = path }
        describe(span, summary)
        if let token = record.token { child("token", of: span, .internal, times, during: token) { _ in } }
        if let connection = record.connection {
            child("connect", of: span, .client, times, during: connection) { child in
                place.describeServer(of: child)
                describe(child, record.connectTimes)
                if record.connectionFailed { fail(child, record) }
            }
        }
        if let sent = record.sentAt {
            let wait = ExchangeRecord.Wait(begin: sent, time: summary.end - sent)
            child("upstream", of: span, .client, times, during: wait) { child in
                place.describeMethod(of: child)
                place.describeServer(of: child)
                if let url = place.url(traced.upstreamScheme, summary.path) { child.attributes["url.full"] = url }
                child.attributes["paraph.reused"] = record.isReused ?? false
                if !record.repeats.isEmpty { child.attributes["http.request.resend_count"] = record.repeats.count }
                if record.error == nil, let status = record.status {
                    child.attributes["http.response.status_code"] = status
                    if status >= 400 { fail(child, record) }
                } else {
                    fail(child, record)
                }
            }
        }
        span.end(at: times.instant(summary.end))
    }

    private func describe(_ span: RecordingSpan, _ summary: RequestSummary) {
        let record = summary.record
        if let api = summary.api { span.attributes["paraph.api"] = api }
        if let account = summary.account { span.attributes["paraph.account"] = account }
        if let client = summary.client { span.attributes["paraph.client"] = client }
        if let cause = record.cause { span.attributes["paraph.cause"] = cause }
        if let outcome = summary.outcome { span.attributes["paraph.outcome"] = outcome }
        if !record.repeats.isEmpty {
            span.attributes["paraph.repeats"] = record.repeats.map(\.rawValue).joined(separator: ",")
        }
        span.attributes["http.request.body.size"] = record.requestBytes
        span.attributes["http.response.body.size"] = record.responseBytes
        if let status = record.status { span.attributes["http.response.status_code"] = status }
        // A status below 500 is the client's affair (OpenTelemetry's conventions for HTTP), unless it is the proxy's own.
        if record.error != nil || record.status.map({ $0 >= 500 }) ?? true { fail(span, record) }
    }

    private func describe(_ span: RecordingSpan, _ phases: ConnectTimes?) {
        let times = [("name", phases?.name), ("tcp", phases?.tcp), ("tls", phases?.tls)]
        for (name, time) in times {
            if let time { span.attributes["paraph.connect.\(name)_us"] = time.nanoseconds / 1000 }
        }
    }

    /// Marks a span as failed, by the same word as the log, or by the status of the server's own answer.
    private func fail(_ span: RecordingSpan, _ record: ExchangeRecord) {
        span.attributes["error.type"] = record.error?.rawValue ?? record.status.map { "\($0)" } ?? "_OTHER"
        span.setStatus(SpanStatus(code: .error, message: record.diagnosis))
    }

    private func child(
        _ name: String,
        of parent: RecordingSpan,
        _ kind: SpanKind,
        _ times: Times,
        during wait: ExchangeRecord.Wait,
        _ describe: (RecordingSpan) -> Void
    ) {
        let span = tracer.startSpan(
            name,
            context: parent.context,
            ofKind: kind,
            at: times.instant(wait.begin),
            function: #function,
            file: #fileID,
            line: #line
        )
        describe(span)
        span.end(at: times.instant(wait.begin + wait.time))
    }

    /// Turns times of the monotonic clock into those of the wall clock.
    private struct Times {
        let now: WallTime
        let end: NIODeadline

        func instant(_ time: NIODeadline) -> DefaultTracerClock.Timestamp {
            let wall = now.advanced(by: time - end)
            return DefaultTracerClock.Timestamp(
                nanosecondsSinceEpoch: UInt64(max(0, wall.seconds)) * 1_000_000_000 + UInt64(wall.nanoseconds)
            )
        }
    }
}
