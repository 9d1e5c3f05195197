import NIOCore
import Synchronization

/// The open connections of the admin listener.
///
/// When nearly as many are open as it takes, a newcomer has the one closed that has had no request for longest: whoever
/// opens connections and asks for nothing, or owes the body of a request, keeps no probe out.
final class AdminConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Indicates whether a whole request of its waits for an answer.
        var isAwaited = false
        /// The number of its last use, greater than that of whoever was used before.
        var lastUse: UInt64
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var uses: UInt64 = 0

        mutating func nextUse() -> UInt64 {
            uses += 1
            return uses
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter limit: The number of connections that are taken at once.
    init(limit: Int) {
        most = limit - limit / 8
    }

    /// Counts a connection until it is closed, and makes room for it.
    func open(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let idle = state.withLock { state -> (any Channel)? in
            let idle = state.connections.count < most ? nil : Self.longestIdle(state.connections)
            if let idle { state.connections[ObjectIdentifier(idle)] = nil }
            state.connections[id] = Connection(channel: channel, lastUse: state.nextUse())
            return idle
        }
        idle?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.connections[id] = nil } }
    }

    /// - Parameter isAwaited: Whether a request waits for its answer now, so that the connection gives way to nobody.
    func noteUse(of channel: any Channel, isAwaited: Bool) {
        state.withLock { state in
            let use = state.nextUse()
            state.connections[ObjectIdentifier(channel)]?.isAwaited = isAwaited
            state.connections[ObjectIdentifier(channel)]?.lastUse = use
        }
    }

    private static func longestIdle(_ connections: [ObjectIdentifier: Connection]) -> (any Channel)? {
        connections.values.filter { !$0.isAwaited }.min { $0.lastUse < $1.lastUse }?.channel
    }
}
