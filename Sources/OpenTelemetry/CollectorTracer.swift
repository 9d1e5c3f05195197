import Instrumentation
import ServiceContextModule
package import Tracing

/// A tracer whose spans go to a collector once they have ended.
package struct CollectorTracer: Tracer {
    private let queue: SpanQueue

    package init(queue: SpanQueue) {
        self.queue = queue
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordingSpan {
        var context = context()
        let parent = context.trace
        let record = SpanRecord(
            traceID: parent?.traceID ?? .random(),
            spanID: .random(),
            parentID: parent?.spanID,
            state: parent?.state ?? "",
            name: operationName,
            kind: kind,
            start: instant().nanosecondsSinceEpoch,
            attributes: [:]
        )
        context.trace = TraceContext(traceID: record.traceID, spanID: record.spanID, state: record.state)
        return RecordingSpan(record, context: context, queue: queue)
    }

    /// Spans are sent within a second by themselves.
    package func forceFlush() {}

    /// Trace context passes through the proxy as it came.
    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let field = extractor.extract(key: "traceparent", from: carrier), let parent = TraceParent(field.utf8)
        else {
            return
        }
        context.trace = TraceContext(
            traceID: parent.traceID,
            spanID: parent.parentID,
            state: extractor.extract(key: "tracestate", from: carrier) ?? ""
        )
    }
}
