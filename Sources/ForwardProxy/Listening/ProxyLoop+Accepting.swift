import NIOCore

extension ProxyLoop {
    /// Takes a new connection.
    ///
    /// - Throws: when it is not to be served: the caller closes it.
    func accept(_ channel: any Channel, at listener: ListenerKey, counting connections: ConnectionCounter) throws {
        // A connection may still come to a listener that a reload has just closed.
        guard let purpose = worker.listeners[listener] else { throw ChannelError.eof }
        let settings = worker.settings
        guard ProxyServer.admits(channel, settings) else { throw ChannelError.eof }
        let limit = settings.limits.connections
        let count = connections.increment()
        channel.closeFuture.whenComplete { _ in connections.decrement() }
        // A connection over the limit is told so; far over it there is no room even for that.
        guard count <= limit + max(64, limit / 10) else { throw ChannelError.eof }
        var gateway: GatewayConnection?
        if case .gateway = purpose { gateway = GatewayConnection(listener: listener, address: channel.localAddress) }
        try channel.pipeline.syncOperations.addHandler(
            ClientHandler(proxyLoop: self, isOverLimit: count > limit, gateway: gateway)
        )
    }
}
