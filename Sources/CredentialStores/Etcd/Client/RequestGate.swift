import NIOCore
import Synchronization

/// Has a limited number of requests under way; the others wait for their turn, in their order.
final class RequestGate: Sendable {
    private struct Waiter {
        let number: Int
        /// Told why it is not let in; nil: it is.
        let continuation: CheckedContinuation<EtcdFailure?, Never>
    }

    private struct State {
        var free: Int
        /// The number of those that have ever waited.
        var waiters = 0
        var waiting: [Waiter] = []
    }

    /// The time after which one that waits gives up.
    private let timeout: TimeAmount
    private let state: Mutex<State>

    init(limit: Int, timeout: TimeAmount) {
        self.timeout = timeout
        state = Mutex(State(free: limit))
    }

    /// - Throws: ``EtcdFailure/unavailable(reason:)`` as well when it is not let in before its time is over, or the task is
    ///   cancelled.
    func pass<Value>(
        _ body: () async throws(EtcdFailure) -> Value
    ) async throws(EtcdFailure) -> Value {
        let isFree = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if !isFree { try await wait() }
        defer { leave() }
        return try await body()
    }

    private func wait() async throws(EtcdFailure) {
        let number = state.withLock { state in
            state.waiters += 1
            return state.waiters
        }
        let expiry = Task {
            try await Standstill.sleep(for: .nanoseconds(timeout.nanoseconds))
            giveUp(number, .unavailable(reason: "too many requests are under way, and none has ended in time"))
        }
        defer { expiry.cancel() }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It may have become free meanwhile.
                let isFree = state.withLock { state in
                    guard state.free > 0 else {
                        state.waiting.append(Waiter(number: number, continuation: continuation))
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if isFree { return continuation.resume(returning: nil) }
                // Before it waited, nobody could tell it.
                if Task.isCancelled { giveUp(number, .cancelled) }
            }
        } onCancel: {
            giveUp(number, .cancelled)
        }
        if let failure { throw failure }
    }

    /// Lets one go that waits, if it still does.
    private func giveUp(_ number: Int, _ failure: EtcdFailure) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index)
        }
        waiter?.continuation.resume(returning: failure)
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: nil)
    }
}
