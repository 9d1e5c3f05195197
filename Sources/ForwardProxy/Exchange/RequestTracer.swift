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

    /// - Parameters:
    ///   - parent: As the request named it; nil: the trace begins here.
    ///   - state: The value of its `tracestate` field.
    func trace(_ summary: RequestSummary, in parent: TraceParent?, state: String) {
        if let parent, !parent.isSampled { return }
        let times = Times(now: clock.wallTime, end: summary.end)
        var context = ServiceContext.topLevel
        context.trace = parent.map { TraceContext(traceID: $0.traceID, spanID: $0.parentID, state: state) }
        let record = summary.record
        let method = String(buffer: summary.method)
        let span = tracer.startSpan(
            method,
            context: context,
            ofKind: .server,
            at: times.instant(record.start),
            function: #function,
            file: #fileID,
            line: #line
        )
        span.attributes["http.request.method"] = method
        span.attributes["server.address"] = summary.authority
        if let path = summary.path { span.attributes["url.path"] = path }
        if let api = summary.api { span.attributes["paraph.api"] = api }
        if let account = summary.account { span.attributes["paraph.account"] = account }
        if let client = summary.client { span.attributes["paraph.client"] = client }
        if let outcome = summary.outcome { span.attributes["paraph.outcome"] = outcome }
        if !record.repeats.isEmpty {
            span.attributes["paraph.repeats"] = record.repeats.map(\.rawValue).joined(separator: ",")
        }
        span.attributes["http.request.body.size"] = record.requestBytes
        span.attributes["http.response.body.size"] = record.responseBytes
        if let status = record.status { span.attributes["http.response.status_code"] = status }
        if let error = record.error {
            span.attributes["error.type"] = error.rawValue
            span.setStatus(SpanStatus(code: .error, message: record.details))
        } else if record.status.map({ $0 >= 500 }) ?? true {
            span.setStatus(SpanStatus(code: .error))
        }
        if let begin = record.tokenBegin, let wait = record.tokenWait {
            child("token", of: span, .internal, times, from: begin, to: begin + wait) { _ in }
        }
        if let begin = record.connectionBegin, let wait = record.connectionWait {
            child("connect", of: span, .client, times, from: begin, to: begin + wait) { child in
                guard let phases = record.connectTimes else { return }
                child.attributes["paraph.connect.name_us"] = phases.name.nanoseconds / 1000
                child.attributes["paraph.connect.tcp_us"] = phases.tcp.nanoseconds / 1000
                if let tls = phases.tls { child.attributes["paraph.connect.tls_us"] = tls.nanoseconds / 1000 }
            }
        }
        if let sent = record.sentAt {
            child("upstream", of: span, .client, times, from: sent, to: summary.end) { child in
                child.attributes["server.address"] = summary.authority
                child.attributes["paraph.reused"] = record.isReused ?? false
                if record.error == nil, let status = record.status {
                    child.attributes["http.response.status_code"] = status
                }
            }
        }
        span.end(at: times.instant(summary.end))
    }

    private func child(
        _ name: String,
        of parent: CollectorSpan,
        _ kind: SpanKind,
        _ times: Times,
        from begin: NIODeadline,
        to end: NIODeadline,
        _ describe: (CollectorSpan) -> Void
    ) {
        let span = tracer.startSpan(
            name,
            context: parent.context,
            ofKind: kind,
            at: times.instant(begin),
            function: #function,
            file: #fileID,
            line: #line
        )
        describe(span)
        span.end(at: times.instant(end))
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
