import CoreMetrics
package import PrometheusMetrics
import Synchronization

/// The spans that wait to be sent: bounded, and those that do not fit are dropped and counted, so that no request waits
/// for a collector.
package final class SpanQueue: Sendable {
    /// The number of spans that wait.
    package static let limit = 4_096
    /// The number of spans that are sent together.
    package static let batch = 512

    package static let exported = MetricDescription(
        "paraph_spans_exported_total",
        .counter,
        "Spans that the OpenTelemetry collector has taken."
    )
    package static let dropped = MetricDescription(
        "paraph_spans_dropped_total",
        .counter,
        "Spans that no collector got, by reason: full, too many waited; refused, the collector did not take them; "
            + "rejected, it took only others of the same request."
    )

    private struct State {
        var spans: [SpanRecord] = []
        var waiter: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())
    private let exportedCount: Counter
    private let fullCount: Counter
    private let refusedCount: Counter
    private let rejectedCount: Counter

    /// - Parameter registry: Counts what became of the spans.
    package init(registry: MetricsRegistry) {
        exportedCount = Counter(label: Self.exported.name, factory: registry)
        fullCount = Counter(label: Self.dropped.name, dimensions: [("reason", "full")], factory: registry)
        refusedCount = Counter(label: Self.dropped.name, dimensions: [("reason", "refused")], factory: registry)
        rejectedCount = Counter(label: Self.dropped.name, dimensions: [("reason", "rejected")], factory: registry)
    }

    func append(_ span: SpanRecord) {
        let (fits, waiter) = state.withLock { state -> (Bool, AsyncStream<Void>.Continuation?) in
            guard state.spans.count < Self.limit else { return (false, nil) }
            state.spans.append(span)
            return (true, state.spans.count % Self.batch == 1 ? state.waiter : nil)
        }
        if !fits { fullCount.increment() }
        waiter?.yield()
    }

    /// Returns what is yielded when there is something to send, to be followed by one task at a time.
    package func wakeUps() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.waiter = continuation }
        return stream
    }

    /// Takes the spans that have waited longest; empty when there are none.
    package func take() -> [SpanRecord] {
        state.withLock { state in
            let taken = Array(state.spans.prefix(Self.batch))
            state.spans.removeFirst(taken.count)
            return taken
        }
    }

    package func noteExported(_ count: Int) { exportedCount.increment(by: count) }
    package func noteRejected(_ count: Int) { rejectedCount.increment(by: count) }
    package func noteRefused(_ count: Int) { refusedCount.increment(by: count) }
}
