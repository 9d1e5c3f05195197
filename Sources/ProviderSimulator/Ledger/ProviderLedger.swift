import Synchronization

/// What the provider received, in order. The latest events are kept; the counts are of all.
package final class ProviderLedger: Sendable {
    private struct State {
        var events: [ProviderEvent] = []
        var count = 0
        var requestsOfStep: [ExchangeStep: Int] = [:]
        var tokensIssued = 0
        var listeners: [Int: AsyncStream<ProviderEvent>.Continuation] = [:]
        var listenerCount = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: at least so many events are kept.
    package init(limit: Int = 1000) {
        self.limit = limit
    }

    package var events: [ProviderEvent] { state.withLock(\.events) }

    /// Requests received, tokens or none.
    package var count: Int { state.withLock(\.count) }

    /// Exchanges that ended with a token.
    package var tokensIssued: Int { state.withLock(\.tokensIssued) }

    /// How often a step was asked for, with or without success.
    package func requests(for step: ExchangeStep) -> Int {
        state.withLock { $0.requestsOfStep[step, default: 0] }
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

    func record(_ request: ReceivedRequest, outcome: ProviderEvent.Outcome, answer: ProviderAnswer) {
        state.withLock { state in
            state.count += 1
            let event = ProviderEvent(number: state.count, request: request, outcome: outcome, answer: answer)
            if let step = event.step { state.requestsOfStep[step, default: 0] += 1 }
            if case .accessTokenGranted = outcome { state.tokensIssued += 1 }
            if state.events.count >= 2 * limit { state.events.removeFirst(limit) }
            state.events.append(event)
            for listener in state.listeners.values { listener.yield(event) }
        }
    }
}
