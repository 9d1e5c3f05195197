package import ServiceContextModule
import Synchronization
package import Tracing

/// A span that goes to a collector once it has ended.
package final class CollectorSpan: Span {
    private struct State {
        var span: CollectedSpan
        var hasEnded = false
    }

    package let context: ServiceContext
    private let state: Mutex<State>
    private let queue: SpanQueue

    init(_ span: CollectedSpan, context: ServiceContext, queue: SpanQueue) {
        self.context = context
        self.queue = queue
        state = Mutex(State(span: span))
    }

    package var operationName: String {
        get { state.withLock { $0.span.name } }
        set { state.withLock { $0.span.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.span.attributes } }
        set { state.withLock { $0.span.attributes = newValue } }
    }

    package var isRecording: Bool { state.withLock { !$0.hasEnded } }

    package func setStatus(_ status: SpanStatus) {
        state.withLock { $0.span.status = status }
    }

    // What happens within a request is told by spans of its own, and by attributes.
    package func addEvent(_ event: SpanEvent) {}
    package func addLink(_ link: SpanLink) {}

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        setStatus(SpanStatus(code: .error))
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let ended = state.withLock { state -> CollectedSpan? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.span.end = end
            return state.span
        }
        if let ended { queue.append(ended) }
    }
}
