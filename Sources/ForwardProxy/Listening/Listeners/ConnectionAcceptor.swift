import CoreMetrics
import NIOCore
import PrometheusMetrics
import Routing
import Settings

/// Takes the new connections of one event loop: finds each a place among as many as there may be, and has it served.
final class ConnectionAcceptor {
    /// The greatest number of newcomers that wait at once for others to end for them.
    private static let mostArriving = 16

    private let proxyLoop: ProxyLoop
    private let room: ConnectionRoom
    /// Counts newcomers that there is no room for, not even to wait.
    private let turnedAway: Counter
    private var unnamed = UnnamedClients()
    private var arriving = 0

    init(_ proxyLoop: ProxyLoop, room: ConnectionRoom, registry: MetricsRegistry) {
        self.proxyLoop = proxyLoop
        self.room = room
        turnedAway = Counter(label: ProxyMetrics.turnedAway.name, dimensions: [], factory: registry)
    }

    private var worker: ProxyWorker { proxyLoop.worker }

    /// Takes a new connection.
    ///
    /// - Returns: Fails when it is not to be served: the caller closes it then.
    func accept(_ channel: any Channel, at listener: ListenerKey) -> EventLoopFuture<Void> {
        let settings = worker.settings
        // A connection may still come to a listener that a reload has just closed.
        guard worker.listeners[listener] != nil, SocketOwner.admits(channel, settings) else {
            return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        do {
            // What one read brings is taken in full by TLS, which keeps as much room as it ever took at once. An option of
            // the bootstrap would take futures of its own.
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let limit = settings.limits.connections
        let peer = PeerAddress(channel.remoteAddress)
        let usage = proxyLoop.usage(of: peer)
        let isListed = !settings.router.access.clients.isEmpty
        var arrived = ClientPlace.arrive(usage, room, limit: limit)
        if arrived == nil, isListed, endOldestUnnamed(of: peer) {
            arrived = ClientPlace.arrive(usage, room, limit: limit)
        }
        guard let place = arrived else {
            guard isListed, arriving < Self.mostArriving else { return turnAway(channel, at: listener) }
            return replaceNewcomer(by: channel, usage, at: listener)
        }
        channel.closeFuture.assumeIsolated().whenComplete { _ in place.end() }
        guard place.shortage != nil, !isListed else {
            return channel.eventLoop.makeCompletedFuture {
                try serve(channel, at: listener, despite: place.shortage, place, isListed: isListed)
            }
        }
        let bound = NIOLoopBound((self, place), eventLoop: proxyLoop.loop)
        // Nothing is read before it is known whether the connection is served.
        return place.take(for: usage, .peer(peer), limit: limit, on: proxyLoop.loop).flatMapThrowing { shortage in
            let (acceptor, place) = bound.value
            try acceptor.serve(channel, at: listener, despite: shortage, place, isListed: false)
        }
    }

    /// Serves a connection far over the limit in the stead of one that nobody has been named for, if there is any: so
    /// whoever has a name gets to say it.
    ///
    /// - Parameter usage: The usage of the newcomer's address.
    private func replaceNewcomer(
        by channel: any Channel,
        _ usage: ClientUsage,
        at listener: ListenerKey
    ) -> EventLoopFuture<Void> {
        let place = ClientPlace.arriveAnyway(usage, room)
        channel.closeFuture.assumeIsolated().whenComplete { _ in place.end() }
        arriving += 1
        let bound = NIOLoopBound((self, place), eventLoop: proxyLoop.loop)
        return place.replaceNewcomer(on: proxyLoop.loop).flatMap { isReplaced in
            let (acceptor, place) = bound.value
            acceptor.arriving -= 1
            guard isReplaced else {
                place.end()
                return acceptor.turnAway(channel, at: listener)
            }
            return channel.eventLoop.makeCompletedFuture {
                try acceptor.serve(channel, at: listener, despite: place.shortage, place, isListed: true)
            }
        }
    }

    /// - Returns: Whether there was one.
    private func endOldestUnnamed(of peer: PeerAddress) -> Bool {
        let oldest = unnamed.takeOldest(of: peer) { id in
            guard let client = proxyLoop.clients[id] as? ClientHandler, client.peer == peer else { return nil }
            return client.mayEndUnnamed
        }
        guard let oldest, let client = proxyLoop.clients[oldest] as? ClientHandler else { return false }
        client.giveUpPlace()
        return true
    }

    private func turnAway(_ channel: any Channel, at listener: ListenerKey) -> EventLoopFuture<Void> {
        turnedAway.increment()
        let problem = worker.usages.turnedAway(limit: worker.settings.limits.connections)
        // A handshake takes more than is left for those who are turned away.
        guard worker.listeners.tls(at: listener) == nil else {
            return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TurnedAwayHandler(problem))
        }
    }

    /// - Parameters:
    ///   - shortage: Why its requests are refused; nil: they are not.
    ///   - isListed: Whether clients are, so that it is not known yet for whom it is to be counted.
    private func serve(
        _ channel: any Channel,
        at listener: ListenerKey,
        despite shortage: Shortage?,
        _ place: ClientPlace,
        isListed: Bool
    ) throws {
        var gateway: GatewayConnection?
        switch worker.listeners[listener] {
        case .proxy: break
        case .gateway: gateway = GatewayConnection(listener: listener, address: channel.localAddress)
        case nil: throw ChannelError.eof
        }
        let peer = PeerAddress(channel.remoteAddress)
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        let tls = worker.listeners.tls(at: listener)
        if let tls {
            try HandshakeObserver(reports: proxyLoop.handshakes, authority: nil)
                .add(tls.makeHandler(), to: channel.pipeline.syncOperations, position: .last)
        }
        let client = ClientHandler(
            proxyLoop: proxyLoop,
            peer: peer,
            overLimit: shortage,
            place: isListed ? place : nil,
            admission: place.surplus,
            gateway: gateway,
            beginsWithTLS: tls != nil
        )
        try channel.pipeline.syncOperations.addHandler(client)
        guard isListed else { return }
        unnamed.append(ObjectIdentifier(client), of: peer) { id in
            (proxyLoop.clients[id] as? ClientHandler)?.mayEndUnnamed == nil
        }
    }
}

@available(*, unavailable)
extension ConnectionAcceptor: Sendable {}

/// Tells a newcomer that there is no room even to wait for its request, and closes the connection.
private final class TurnedAwayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: ByteBuffer

    /// - Parameter problem: The problem that its request would be answered with.
    init(_ problem: Problem) {
        answer = ProblemResponse.bytes(for: problem, omitsBody: false, closes: true)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
