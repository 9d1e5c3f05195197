import NIOCore
import Synchronization

/// The open connections of the admin listener.
///
/// When nearly as many are open as it takes, a newcomer has the one closed that has had no request for longest: whoever
/// opens connections and asks for nothing keeps no probe out.
final class AdminConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Those that are being answered.
        var requests = 0
        /// Greater than that of whoever was used before.
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

    /// - Parameter limit: how many connections are taken at once.
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

    func beginRequest(on channel: any Channel) {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.requests += 1 }
    }

    func endRequest(on channel: any Channel) {
        state.withLock { state in
            let use = state.nextUse()
            state.connections[ObjectIdentifier(channel)]?.requests -= 1
            state.connections[ObjectIdentifier(channel)]?.lastUse = use
        }
    }

    private static func longestIdle(_ connections: [ObjectIdentifier: Connection]) -> (any Channel)? {
        connections.values.filter { $0.requests == 0 }.min { $0.lastUse < $1.lastUse }?.channel
    }
}

extension AdminConnections {
    /// Tells of its connection that it is open.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Any

        private let connections: AdminConnections

        init(_ connections: AdminConnections) {
            self.connections = connections
        }

        func handlerAdded(context: ChannelHandlerContext) {
            connections.open(context.channel)
        }
    }
}

@available(*, unavailable)
extension AdminConnections.Handler: Sendable {}
