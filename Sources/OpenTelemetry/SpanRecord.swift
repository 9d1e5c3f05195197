package import Tracing

/// The content of one span, as it goes to a collector once it has ended.
package struct SpanRecord: Sendable {
    package var traceID: TraceID
    package var spanID: SpanID
    /// The span that this one is part of; nil when the trace begins with it, as far as this process knows.
    package var parentID: SpanID?
    package var state: String
    package var name: String
    package var kind: SpanKind
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package var start: UInt64
    /// Zero: it has not ended.
    package var end: UInt64 = 0
    package var attributes: SpanAttributes
    package var status: SpanStatus?
}
