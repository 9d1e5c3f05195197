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
