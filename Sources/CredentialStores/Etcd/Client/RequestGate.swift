import Synchronization

/// Lets in a limited number of requests at once; the others wait until they are let in, in their order, however long
/// that takes: that many are under way says nothing of the servers. Where these are away, those under way find it.
final class RequestGate: Sendable {
    private struct Waiter {
        let number: Int
        /// The place where it waits, which is told why it is not let in; nil: it is.
        let continuation: CheckedContinuation<EtcdFailure?, Never>
    }

    private struct State {
        var free: Int
        /// The number of those that have ever waited.
        var waiters = 0
        var waiting: [Waiter] = []
        /// The requests that are let in before the others.
        var urgent: [Waiter] = []

        mutating func next() -> Waiter? {
            if !urgent.isEmpty { return urgent.removeFirst() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(free: limit))
    }

    /// - Parameter isUrgent: Whether it goes before others that wait.
    /// - Throws: ``EtcdFailure/cancelled`` as well.
    func pass<Value>(
        isUrgent: Bool = false,
        _ body: () async throws(EtcdFailure) -> Value
    ) async throws(EtcdFailure) -> Value {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if !isFree { try await wait(isUrgent: isUrgent) }
        defer { leave() }
        return try await body()
    }

    private func wait(isUrgent: Bool) async throws(EtcdFailure) {
        let number = state.withLock { state in
            state.waiters += 1
            return state.waiters
        }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It may have become free meanwhile.
                let isFree = state.withLock { state in
                    guard state.free > 0 else {
                        let waiter = Waiter(number: number, continuation: continuation)
                        if isUrgent { state.urgent.append(waiter) } else { state.waiting.append(waiter) }
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if isFree { return continuation.resume(returning: nil) }
                // Before it waited, nobody could tell it.
                if Task.isCancelled { giveUp(number) }
            }
        } onCancel: {
            giveUp(number)
        }
        if let failure { throw failure }
    }

    /// Lets one go whose task was cancelled, if it still waits.
    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if let index = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: index)
            }
            return state.urgent.firstIndex { $0.number == number }.map { state.urgent.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: .cancelled)
    }

    /// The number of those that wait; for tests.
    var waiterCount: Int { state.withLock { $0.waiting.count + $0.urgent.count } }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            let next = state.next()
            if next == nil { state.free += 1 }
            return next
        }
        next?.continuation.resume(returning: nil)
    }
}
