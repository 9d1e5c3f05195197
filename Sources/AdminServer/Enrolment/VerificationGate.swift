import NIOCore
import Synchronization

/// Bounds how many claims are verified at once, since each waits for a provider that may be slow; the others wait for
/// their turn, in the order they came.
final class VerificationGate: Sendable {
    private struct State {
        var running = 0
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let limit: Int
    private let waiterLimit: Int
    private let state = Mutex(State())

    init(limit: Int, waiterLimit: Int) {
        self.limit = limit
        self.waiterLimit = waiterLimit
    }

    /// The number of those that wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// - Throws: ``AdminRefusal/tooManyVerifications`` when too many wait already.
    func run<Value>(_ body: () async -> Value) async throws(AdminRefusal) -> Value {
        guard await enter() else { throw .tooManyVerifications }
        let value = await body()
        leave()
        return value
    }

    private enum Entry {
        case now
        case later
        case never
    }

    private func enter() async -> Bool {
        var isIn = true
        await withCheckedContinuation { continuation in
            let entry = state.withLock { state -> Entry in
                if state.running < limit {
                    state.running += 1
                    return .now
                }
                guard state.waiting.count < waiterLimit else { return .never }
                state.waiting.append(continuation)
                return .later
            }
            switch entry {
            case .now: continuation.resume()
            case .later: break
            case .never:
                isIn = false
                continuation.resume()
            }
        }
        return isIn
    }

    /// The place goes to whoever waits longest.
    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume()
    }
}
