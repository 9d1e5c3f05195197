import PrometheusMetrics
import ServiceContextModule
import Testing
import Tracing

@testable import OpenTelemetry

@Suite("Spans")
struct CollectorTracerTests {
    private let registry = MetricsRegistry()

    private func count(_ metric: MetricDescription) -> Int {
        MetricsRegistry.families(of: [registry], [metric]).flatMap(\.samples).reduce(0) { sum, sample in
            if case .integer(let value) = sample.value { sum + value } else { sum }
        }
    }

    @Test("A span goes to the collector once, when it has ended, and those that it has begun are below it")
    func tree() throws {
        let queue = SpanQueue(registry: registry)
        let tracer = CollectorTracer(queue: queue)
        var context = ServiceContext.topLevel
        let fields = ["traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "a=b"]
        tracer.extract(fields, into: &context, using: FieldExtractor())
        let request = tracer.startSpan("GET", context: context, ofKind: .server)
        let token = tracer.startSpan("token", context: request.context)
        #expect(queue.take().isEmpty)
        token.end()
        request.attributes["http.response.status_code"] = 200
        request.end()
        request.end()
        let spans = queue.take()
        #expect(spans.map(\.name) == ["token", "GET"])
        #expect(spans.allSatisfy { "\($0.traceID)" == "4bf92f3577b34da6a3ce929d0e0e4736" && $0.state == "a=b" })
        #expect(spans[0].parentID == spans[1].spanID)
        #expect(spans[1].parentID.map { "\($0)" } == "00f067aa0ba902b7")
        #expect(spans.allSatisfy { $0.start <= $0.end })
        #expect(queue.take().isEmpty)
    }

    @Test("What does not fit is dropped and counted")
    func isBounded() {
        let queue = SpanQueue(registry: registry)
        let tracer = CollectorTracer(queue: queue)
        for _ in 0..<(SpanQueue.limit + 3) { tracer.startSpan("GET", context: .topLevel).end() }
        #expect(count(SpanQueue.dropped) == 3)
        var batches: [Int] = []
        while case let spans = queue.take(), !spans.isEmpty { batches.append(spans.count) }
        #expect(batches.count == 8 && batches.allSatisfy { $0 == SpanQueue.batch })
    }

    private struct FieldExtractor: Extractor {
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }
}
