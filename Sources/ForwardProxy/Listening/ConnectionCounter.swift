import Synchronization

/// Counts the client connections of all event loops.
final class ConnectionCounter: Sendable {
    private struct State {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// - Returns: the count with the new connection.
    func increment() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func decrement() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when there is no connection, or the task is cancelled.
    func untilZero() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isZero = state.withLock { state in
                    if state.count == 0 || Task.isCancelled { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isZero { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters.removeAll() }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}
