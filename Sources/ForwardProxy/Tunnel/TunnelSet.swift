/// The open tunnels of one event loop.
struct TunnelSet {
    private var handlers: [ObjectIdentifier: TunnelHandler] = [:]

    mutating func insert(_ handler: TunnelHandler) {
        handlers[ObjectIdentifier(handler)] = handler
    }

    mutating func remove(_ handler: TunnelHandler) {
        handlers[ObjectIdentifier(handler)] = nil
    }

    func closeAll() {
        for handler in handlers.values { handler.close() }
    }
}
