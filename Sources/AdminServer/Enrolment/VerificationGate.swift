import NIOCore
import Synchronization

/// Bounds how many claims are verified at once, since each waits for a provider that may be slow; the others wait for
/// their turn, in the order they came.
final class VerificationGate: Sendable {
    private struct State {
        var running = 0
        var waiting = CircularBuffer<CheckedContinuation<Bool, Never>>()
    }

    private let limit: Int
    private let waiterLimit: Int
    private let state = Mutex(State())

    init(limit: Int, waiterLimit: Int) {
        self.limit = limit
        self.waiterLimit = waiterLimit
    }

    /// The number of those that wait for their turn; for tests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// - Throws: ``AdminRefusal/tooManyVerifications`` when too many wait already.
    func run<Value>(_ body: () async -> Value) async throws(AdminRefusal) -> Value {
        guard await enter() else { throw .tooManyVerifications }
        let value = await body()
        leave()
        return value
    }

    /// - Returns: Whether there was a place, at once or in the end.
    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let hasEntered = state.withLock { state -> Bool? in
                if state.running < limit {
                    state.running += 1
                    return true
                }
                guard state.waiting.count < waiterLimit else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let hasEntered { continuation.resume(returning: hasEntered) }
        }
    }

    /// The place goes to whoever waits longest.
    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
