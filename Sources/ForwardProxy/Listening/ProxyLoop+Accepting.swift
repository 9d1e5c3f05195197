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
        let limit = settings.limits.connections
        let peer = PeerAddress(channel.remoteAddress)
        let usage = worker.usages.usage(of: .peer(peer))
        let counter = room.counter
        let hasShare = usage.connections.take(1)
        let isPermitted = hasShare && usage.places.take(1)
        func giveBackWhatWasTaken() {
            if hasShare { usage.connections.giveBack(1) }
            if isPermitted { usage.places.giveBack(1) }
        }
        switch counter.arrive(limit: limit, isPermitted: isPermitted) {
        case .admitted:
            channel.closeFuture.whenComplete { _ in
                usage.connections.giveBack(1)
                usage.places.giveBack(1)
                counter.leave()
            }
            return channel.eventLoop.makeCompletedFuture { try serve(channel, at: listener) }
        case .surplus(let place):
            giveBackWhatWasTaken()
            guard usage.surplus.take(1) else {
                counter.leave(place)
                return channel.eventLoop.makeFailedFuture(ChannelError.eof)
            }
            let isServed = NIOLoopBoundBox(false, eventLoop: loop)
            channel.closeFuture.whenComplete { _ in
                if isServed.value {
                    usage.connections.giveBack(1)
                    usage.places.giveBack(1)
                } else {
                    usage.surplus.giveBack(1)
                }
                counter.leave(place)
            }
            let bound = NIOLoopBound(self, eventLoop: loop)
            // Nothing is read before it is known whether the connection is served.
            return channel.eventLoop.makeFutureWithTask {
                await room.admit(place, from: peer, limit: isPermitted ? limit : 0)
            }.flatMapThrowing { isAdmitted in
                guard isAdmitted else {
                    return try bound.value.serve(channel, at: listener, despite: hasShare ? .places : .share)
                }
                isServed.value = true
                usage.surplus.giveBack(1)
                usage.connections.takeAnyway(1)
                usage.places.takeAnyway(1)
                try bound.value.serve(channel, at: listener)
            }
        case .turnedAway:
            giveBackWhatWasTaken()
            return channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
    }

    /// - Parameter shortage: why its requests are refused; nil: they are not.
    private func serve(_ channel: any Channel, at listener: ListenerKey, despite shortage: Shortage? = nil) throws {
        var gateway: GatewayConnection?
        switch worker.listeners[listener] {
        case .proxy: break
        case .gateway: gateway = GatewayConnection(listener: listener, address: channel.localAddress)
        case nil: throw ChannelError.eof
        }
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(
            ClientHandler(proxyLoop: self, overLimit: shortage, gateway: gateway)
        )
    }
}
