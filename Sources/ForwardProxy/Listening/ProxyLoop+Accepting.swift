import NIOCore

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
        let counter = room.counter
        let limit = settings.limits.connections
        switch counter.arrive(limit: limit) {
        case .admitted:
            channel.closeFuture.whenComplete { _ in counter.leave() }
            return channel.eventLoop.makeCompletedFuture { try serve(channel, at: listener, isOverLimit: false) }
        case .surplus(let place):
            channel.closeFuture.whenComplete { _ in counter.leave(place) }
            let peer = PeerAddress(channel.remoteAddress)
            let bound = NIOLoopBound(self, eventLoop: loop)
            // Nothing is read before it is known whether the connection is served.
            return channel.eventLoop.makeFutureWithTask {
                await room.admit(place, from: peer, limit: limit)
            }.flatMapThrowing { isAdmitted in
                try bound.value.serve(channel, at: listener, isOverLimit: !isAdmitted)
            }
        case .turnedAway: return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
    }

    private func serve(_ channel: any Channel, at listener: ListenerKey, isOverLimit: Bool) throws {
        var gateway: GatewayConnection?
        switch worker.listeners[listener] {
        case .proxy: break
        case .gateway: gateway = GatewayConnection(listener: listener, address: channel.localAddress)
        case nil: throw ChannelError.eof
        }
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(
            ClientHandler(proxyLoop: self, isOverLimit: isOverLimit, gateway: gateway)
        )
    }
}
