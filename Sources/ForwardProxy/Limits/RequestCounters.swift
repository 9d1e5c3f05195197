import Synchronization

/// The counters of requests in flight, which stay whatever is reloaded: what is in flight then goes on counting.
final class RequestCounters: Sendable {
    enum Key: Hashable {
        case client(String)
        case peer(PeerAddress)
        case api(String)
    }

    /// Does not keep the counter of somebody who is gone.
    private struct Entry {
        weak var counter: RequestCounter?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Entries at which those of nobody are looked for.
        var sweepAt = 64
    }

    private let state = Mutex(State())

    /// To be kept for as long as anything may be counted.
    func counter(of key: Key) -> RequestCounter {
        state.withLock { state in
            if let counter = state.entries[key]?.counter { return counter }
            if state.entries.count >= state.sweepAt {
                state.entries = state.entries.filter { $0.value.counter != nil }
                state.sweepAt = max(64, state.entries.count * 2)
            }
            let counter = RequestCounter()
            state.entries[key] = Entry(counter: counter)
            return counter
        }
    }
}
