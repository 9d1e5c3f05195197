import Synchronization

/// Wakes those who wait for a key of etcd to change.
final class KeyChanges: Sendable {
    private struct State {
        var waiting: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Returns the changes of some keys that are told from now on. Several at once are one.
    func changes(of keys: [String]) -> AsyncStream<Void> {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.last += 1
            for key in keys { state.waiting[key, default: [:]][state.last] = continuation }
            return state.last
        }
        continuation.onTermination = { [self] _ in
            state.withLock { state in
                for key in keys {
                    state.waiting[key]?[number] = nil
                    if state.waiting[key]?.isEmpty == true { state.waiting[key] = nil }
                }
            }
        }
        return changes
    }

    /// - Parameter key: The key that has changed; nil: any may have.
    func tell(_ key: String?) {
        let continuations = state.withLock { state in
            guard let key else { return state.waiting.values.flatMap { Array($0.values) } }
            return Array(state.waiting[key, default: [:]].values)
        }
        for continuation in continuations { continuation.yield() }
    }
}
