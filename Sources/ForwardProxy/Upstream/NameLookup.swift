import NIOCore
import Synchronization

/// One look-up of a name by the system's resolver, for all who ask for it while it lasts.
///
/// Its thread cannot be called back from the resolver; but while it waits in line for a thread, it is given up as soon as
/// nobody waits for it any more.
final class NameLookup: Sendable {
    private enum State {
        case inLine(waiting: Int)
        case taken
        case dropped
    }

    private let state = Mutex(State.inLine(waiting: 1))
    /// The addresses of the name, in the resolver's order; empty when it does not resolve. Succeeds on the loop.
    let addresses: EventLoopFuture<[SocketAddress]>

    /// Somebody waits for it already.
    init(_ addresses: EventLoopFuture<[SocketAddress]>) {
        self.addresses = addresses
    }

    /// - Returns: false when it has been given up: another one is needed.
    func join() -> Bool {
        state.withLock { state in
            switch state {
            case .inLine(let waiting):
                state = .inLine(waiting: waiting + 1)
                return true
            case .taken: return true
            case .dropped: return false
            }
        }
    }

    /// Somebody does not wait any more.
    func leave() {
        state.withLock { state in
            if case .inLine(let waiting) = state { state = .inLine(waiting: waiting - 1) }
        }
    }

    /// Its turn has come.
    ///
    /// - Returns: whether anybody waits for it.
    func take() -> Bool {
        state.withLock { state in
            guard case .inLine(let waiting) = state else { return false }
            state = waiting > 0 ? .taken : .dropped
            return waiting > 0
        }
    }
}
