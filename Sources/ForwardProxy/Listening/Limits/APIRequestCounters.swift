import Synchronization

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
