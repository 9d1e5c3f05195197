import NIOCore
import Routing

extension ProxyLoop {
    /// Takes a new connection.
    ///
    /// - Returns: fails when it is not to be served: the caller closes it then.
    func accept(_ channel: any Channel, at listener: ListenerKey, _ room: ConnectionRoom) -> EventLoopFuture<Void> {
        let settings = worker.settings
        // A connection may still come to a listener that a reload has just closed.
        guard worker.listeners[listener] != nil, ProxyServer.admits(channel, settings) else {
            return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        let limit = settings.limits.connections
        let peer = PeerAddress(channel.remoteAddress)
        let usage = usage(of: peer)
        let refusal = usage.takeConnection()
        let place: ClientPlace
        switch room.counter.arrive(limit: limit, isPermitted: refusal == nil) {
        case .admitted: place = ClientPlace(room, of: usage, surplus: nil, shortage: nil)
        case .surplus(let surplus):
            if refusal == nil { usage.giveBackConnection() }
            guard usage.surplus.take(1) else {
                room.counter.leave(surplus)
                return turnAway(channel, for: refusal)
            }
            place = ClientPlace(room, of: usage, surplus: surplus, shortage: refusal ?? .places)
        case .turnedAway:
            if refusal == nil { usage.giveBackConnection() }
            return turnAway(channel, for: refusal)
        }
        channel.closeFuture.assumeIsolated().whenComplete { _ in place.end() }
        let namesFollow = !settings.router.access.clients.isEmpty
        guard place.shortage != nil, !namesFollow else {
            return channel.eventLoop.makeCompletedFuture {
                try serve(channel, at: listener, despite: place.shortage, place: namesFollow ? place : nil)
            }
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        // Nothing is read before it is known whether the connection is served.
        return place.take(for: usage, .peer(peer), limit: limit, on: loop).flatMapThrowing { shortage in
            try bound.value.serve(channel, at: listener, despite: shortage)
        }
    }

    private func turnAway(_ channel: any Channel, for refusal: Shortage?) -> EventLoopFuture<Void> {
        let usage = usage(of: PeerAddress(channel.remoteAddress))
        let problem = worker.usages.refused(refusal ?? .places, to: usage, limit: worker.settings.limits.connections)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TurnedAwayHandler(problem))
        }
    }

    /// - Parameters:
    ///   - shortage: why its requests are refused; nil: they are not.
    ///   - place: where it is not known yet for whom it is to be counted.
    private func serve(
        _ channel: any Channel,
        at listener: ListenerKey,
        despite shortage: Shortage?,
        place: ClientPlace? = nil
    ) throws {
        var gateway: GatewayConnection?
        switch worker.listeners[listener] {
        case .proxy: break
        case .gateway: gateway = GatewayConnection(listener: listener, address: channel.localAddress)
        case nil: throw ChannelError.eof
        }
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(
            ClientHandler(proxyLoop: self, overLimit: shortage, place: place, gateway: gateway)
        )
    }
}
