import Dispatch
import NIOCore

/// Holds up a thread until it is opened.
final class DispatchGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// - Returns: No addresses, for a resolver of a test.
    func pass() -> [SocketAddress] {
        semaphore.wait()
        return []
    }
}
