import Synchronization

/// Counts what is in flight of one kind, on all event loops: requests, tunnels, upstream connections.
final class InFlightCounter: Sendable {
    private let count = Atomic(0)

    /// - Returns: False, and nothing is counted, when there are as many already.
    func begin(limit: Int = .max) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            end()
            return false
        }
        return true
    }

    func isAt(_ limit: Int) -> Bool { count.load(ordering: .relaxed) >= limit }

    func end() {
        count.subtract(1, ordering: .relaxed)
    }
}

/// The counters of the requests in flight to each API, which stay whatever is reloaded: what is in flight then goes on
/// counting.
final class APIRequestCounters: Sendable {
    private let counters = Mutex([String: InFlightCounter]())

    /// - Parameter api: Its name.
    func counter(of api: String) -> InFlightCounter {
        counters.withLock { counters in
            if let counter = counters[api] { return counter }
            let counter = InFlightCounter()
            counters[api] = counter
            return counter
        }
    }
}
