package import ServiceContextModule

/// The place of a span in its trace, as a service context carries it.
package struct TraceContext: Sendable {
    package var traceID: TraceID
    /// The span that is current; the parent of those that are started in this context. Nil: they have none.
    package var spanID: SpanID?
    /// The value of the `tracestate` field that came with it.
    package var state: String

    package init(traceID: TraceID, spanID: SpanID?, state: String = "") {
        self.traceID = traceID
        self.spanID = spanID
        self.state = state
    }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
        static var nameOverride: String? { "paraph.trace" }
    }

    package var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
