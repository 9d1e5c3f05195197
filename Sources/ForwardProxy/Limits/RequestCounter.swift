import Synchronization

/// Counts requests in flight, of all event loops.
final class RequestCounter: Sendable {
    private let count = Atomic(0)

    /// - Returns: false, and nothing is counted, when there are as many already.
    func begin(limit: Int) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            end()
            return false
        }
        return true
    }

    func end() {
        count.subtract(1, ordering: .relaxed)
    }
}
