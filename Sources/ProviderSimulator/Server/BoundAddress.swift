import NIOCore
import Synchronization

/// An address that is known once the server listens; any number of tasks may wait for it.
final class BoundAddress: Sendable {
    private enum State {
        case unknown(waiters: [CheckedContinuation<SocketAddress, any Error>])
        case known(Result<SocketAddress, any Error>)
    }

    private let state = Mutex(State.unknown(waiters: []))

    var value: SocketAddress {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state -> Result<SocketAddress, any Error>? in
                    switch state {
                    case .known(let result): return result
                    case .unknown(let waiters):
                        state = .unknown(waiters: waiters + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(with: known) }
            }
        }
    }

    /// The first call settles it.
    func settle(_ result: Result<SocketAddress, any Error>) {
        let waiters = state.withLock { state -> [CheckedContinuation<SocketAddress, any Error>] in
            guard case .unknown(let waiters) = state else { return [] }
            state = .known(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
