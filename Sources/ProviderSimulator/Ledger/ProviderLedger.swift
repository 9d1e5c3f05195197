import Synchronization

/// The requests that the provider received, in order. The latest events are kept; the counts are of all.
package final class ProviderLedger: Sendable {
    private struct State {
        var events: [ProviderEvent] = []
        var count = 0
        var requests: [ProviderEndpoint: Int] = [:]
        var grants: [GrantKind: Int] = [:]
        var refusals: [String: Int] = [:]
        var listeners: [Int: AsyncStream<ProviderEvent>.Continuation] = [:]
        var listenerCount = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The number of events that are kept at least.
    package init(limit: Int = 1000) {
        self.limit = limit
    }

    package var events: [ProviderEvent] { state.withLock(\.events) }

    /// Requests received, tokens or none.
    package var count: Int { state.withLock(\.count) }

    /// Exchanges that ended with a token.
    package var tokensIssued: Int { state.withLock { $0.grants.values.reduce(0, +) } }

    /// Tokens that were issued in this way.
    package func tokensIssued(by kind: GrantKind) -> Int {
        state.withLock { $0.grants[kind, default: 0] }
    }

    /// Requests that came to this endpoint, with or without success.
    package func requests(for endpoint: ProviderEndpoint) -> Int {
        state.withLock { $0.requests[endpoint, default: 0] }
    }

    /// Requests that were refused because of this problem, such as `timestamp_refused`.
    package func refusals(because problem: String) -> Int {
        state.withLock { $0.refusals[problem, default: 0] }
    }

    /// The events from now on. Whoever reads slowly misses none of them.
    package func newEvents() -> AsyncStream<ProviderEvent> {
        let (stream, continuation) = AsyncStream<ProviderEvent>.makeStream()
        let listener = state.withLock { state in
            state.listenerCount += 1
            state.listeners[state.listenerCount] = continuation
            return state.listenerCount
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
        }
        return stream
    }

    /// - Parameter answer: Nil when there is none.
    func record(
        _ request: ReceivedRequest,
        endpoint: ProviderEndpoint,
        outcome: ProviderEvent.Outcome,
        answer: SimulatedAnswer?
    ) {
        state.withLock { state in
            state.count += 1
            let event = ProviderEvent(
                number: state.count,
                request: request,
                endpoint: endpoint,
                outcome: outcome,
                answer: answer
            )
            state.requests[endpoint, default: 0] += 1
            if let grant = event.grant { state.grants[grant, default: 0] += 1 }
            if let refusal = event.refusal { state.refusals[refusal.problem, default: 0] += 1 }
            if state.events.count >= 2 * limit { state.events.removeFirst(limit) }
            state.events.append(event)
            for listener in state.listeners.values { listener.yield(event) }
        }
    }
}
