import CoreMetrics
import NIOCore
import Routing
import Settings

extension ProxyLoop {
    /// Takes a new connection.
    ///
    /// - Returns: Fails when it is not to be served: the caller closes it then.
    func accept(_ channel: any Channel, at listener: ListenerKey, _ room: ConnectionRoom) -> EventLoopFuture<Void> {
        let settings = worker.settings
        // A connection may still come to a listener that a reload has just closed.
        guard worker.listeners[listener] != nil, ProxyServer.admits(channel, settings) else {
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
        let usage = usage(of: peer)
        let isListed = !settings.router.access.clients.isEmpty
        var arrived = ClientPlace.arrive(usage, room, limit: limit)
        if arrived == nil, isListed, endOldestUnnamed(of: peer) {
            arrived = ClientPlace.arrive(usage, room, limit: limit)
        }
        guard let place = arrived else {
            guard isListed, arriving < Self.mostArriving else { return turnAway(channel, at: listener) }
            return replaceNewcomer(by: channel, usage, at: listener, room)
        }
        channel.closeFuture.assumeIsolated().whenComplete { _ in place.end() }
        guard place.shortage != nil, !isListed else {
            return channel.eventLoop.makeCompletedFuture {
                try serve(channel, at: listener, despite: place.shortage, place, isListed: isListed)
            }
        }
        let bound = NIOLoopBound((self, place), eventLoop: loop)
        // Nothing is read before it is known whether the connection is served.
        return place.take(for: usage, .peer(peer), limit: limit, on: loop).flatMapThrowing { shortage in
            let (proxyLoop, place) = bound.value
            try proxyLoop.serve(channel, at: listener, despite: shortage, place, isListed: false)
        }
    }

    /// Serves a connection far over the limit in the stead of one that nobody has been named for, if there is any: so
    /// whoever has a name gets to say it.
    ///
    /// - Parameter usage: Of the newcomer's address.
    private func replaceNewcomer(
        by channel: any Channel,
        _ usage: ClientUsage,
        at listener: ListenerKey,
        _ room: ConnectionRoom
    ) -> EventLoopFuture<Void> {
        let place = ClientPlace.arriveAnyway(usage, room)
        channel.closeFuture.assumeIsolated().whenComplete { _ in place.end() }
        arriving += 1
        let bound = NIOLoopBound((self, place), eventLoop: loop)
        return place.replaceNewcomer(on: loop).flatMap { isReplaced in
            let (proxyLoop, place) = bound.value
            proxyLoop.arriving -= 1
            guard isReplaced else {
                place.end()
                return proxyLoop.turnAway(channel, at: listener)
            }
            return channel.eventLoop.makeCompletedFuture {
                try proxyLoop.serve(channel, at: listener, despite: place.shortage, place, isListed: true)
            }
        }
    }

    /// - Returns: Whether there was one.
    private func endOldestUnnamed(of peer: PeerAddress) -> Bool {
        let oldest = unnamed.takeOldest(of: peer) { id in
            guard let client = clients[id] as? ClientHandler, client.peer == peer else { return nil }
            return client.mayEndUnnamed
        }
        guard let oldest, let client = clients[oldest] as? ClientHandler else { return false }
        client.giveUpPlace()
        return true
    }

    private func turnAway(_ channel: any Channel, at listener: ListenerKey) -> EventLoopFuture<Void> {
        worker.exchanges.metrics.turnedAway.increment()
        let problem = worker.usages.turnedAway(limit: worker.settings.limits.connections)
        // A handshake takes more than is left for those who are turned away.
        guard tls(at: listener) == nil else { return channel.eventLoop.makeFailedFuture(ChannelError.eof) }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TurnedAwayHandler(problem))
        }
    }

    private func tls(at listener: ListenerKey) -> ListenerTLS? {
        if case .proxy = worker.listeners[listener] { worker.listenerTLS } else { nil }
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
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        let tls = tls(at: listener)
        if let tls {
            try HandshakeObserver(proxyLoop: self, authority: nil)
                .add(tls.makeHandler(), to: channel.pipeline.syncOperations, position: .last)
        }
        let client = ClientHandler(
            proxyLoop: self,
            overLimit: shortage,
            place: isListed ? place : nil,
            admission: place.surplus,
            gateway: gateway,
            beginsWithTLS: tls != nil
        )
        try channel.pipeline.syncOperations.addHandler(client)
        guard isListed else { return }
        unnamed.append(ObjectIdentifier(client), of: PeerAddress(channel.remoteAddress)) { id in
            (clients[id] as? ClientHandler)?.mayEndUnnamed == nil
        }
    }
}

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
