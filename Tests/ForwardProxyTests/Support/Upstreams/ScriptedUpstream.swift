import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that does what the test says: it takes connections, and the test reads and writes them.
final class ScriptedUpstream: Sendable {
    private struct State {
        var wires: [Wire] = []
        var taken = 0
    }

    let port: Int
    private let listener: any Channel
    private let arrivals: Inbox
    private let accepted: Accepted

    /// Its connections; apart, because the initializer of the listener fills it.
    private final class Accepted: Sendable {
        let state = Mutex(State())
    }

    private init(listener: any Channel, arrivals: Inbox, accepted: Accepted) throws {
        guard let port = listener.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
        self.listener = listener
        self.arrivals = arrivals
        self.accepted = accepted
    }

    /// - Parameter identity: The identity that it presents; nil for plain TCP.
    static func start(identity: ServerIdentity? = nil) async throws -> ScriptedUpstream {
        let context = try identity?.context()
        let arrivals = Inbox()
        let accepted = Accepted()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let inbox = Inbox()
                    let pipeline = channel.pipeline.syncOperations
                    if let identity, let context { try pipeline.addHandler(identity.handler(context)) }
                    try pipeline.addHandler(InboxHandler(inbox))
                    let wire = Wire(channel: channel, inbox: inbox)
                    accepted.state.withLock { $0.wires.append(wire) }
                    arrivals.update { $0.total += 1 }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return try ScriptedUpstream(listener: listener, arrivals: arrivals, accepted: accepted)
    }

    /// The next connection.
    func accept() async throws -> Wire {
        try await arrivals.wait { [accepted] _ in
            accepted.state.withLock { state in
                guard state.taken < state.wires.count else { return nil }
                state.taken += 1
                return state.wires[state.taken - 1]
            }
        }
    }

    var connectionCount: Int { accepted.state.withLock { $0.wires.count } }

    /// Bytes of requests that came, on all connections.
    var receivedBytes: Int { accepted.state.withLock { $0.wires.map(\.inbox.total).reduce(0, +) } }

    /// Refuses connections from now on; those that are there stay.
    func refuse() async { try? await listener.close() }

    func stop() async {
        try? await listener.close()
        for wire in accepted.state.withLock({ $0.wires }) { try? await wire.reset() }
    }
}
