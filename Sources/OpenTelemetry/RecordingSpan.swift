package import ServiceContextModule
import Synchronization
package import Tracing

/// A span that goes to a collector once it has ended.
package final class RecordingSpan: Span {
    private enum State {
        case recording(SpanRecord)
        case ended(SpanRecord)

        var record: SpanRecord {
            switch self {
            case .recording(let record), .ended(let record): record
            }
        }

        mutating func change(_ change: (inout SpanRecord) -> Void) {
            guard case .recording(var record) = self else { return }
            change(&record)
            self = .recording(record)
        }
    }

    package let context: ServiceContext
    private let state: Mutex<State>
    private let queue: SpanQueue

    init(_ record: SpanRecord, context: ServiceContext, queue: SpanQueue) {
        self.context = context
        self.queue = queue
        state = Mutex(.recording(record))
    }

    package var operationName: String {
        get { state.withLock { $0.record.name } }
        set { state.withLock { $0.change { $0.name = newValue } } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.record.attributes } }
        set { state.withLock { $0.change { $0.attributes = newValue } } }
    }

    package var isRecording: Bool {
        state.withLock { if case .recording = $0 { true } else { false } }
    }

    package func setStatus(_ status: SpanStatus) {
        state.withLock { $0.change { $0.status = status } }
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
        let ended = state.withLock { state -> SpanRecord? in
            guard case .recording(var record) = state else { return nil }
            record.end = end
            state = .ended(record)
            return record
        }
        if let ended { queue.append(ended) }
    }
}
