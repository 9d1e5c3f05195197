import Synchronization

/// The disturbance that one request meets with instead of being answered as it should.
package enum Disturbance: Sendable {
    case answer(SimulatedAnswer)
    /// No answer, and the connection stays open until the client gives up.
    case silence
    /// The connection is closed without an answer.
    case close
    /// These bytes go through TLS in place of a response, and the connection is closed.
    case bytes([UInt8])
    /// The right answer, once the gate is open.
    case hold(ProviderGate)
}

/// A gate that holds answers back until it is opened.
package final class ProviderGate: Sendable {
    private enum State {
        case closed(waiters: [CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Mutex(State.closed(waiters: []))

    package init() {}

    package func open() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiters) = state else { return [] }
            state = .open
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the gate is open.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard case .closed(let waiters) = state else { return true }
                state = .closed(waiters: waiters + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
