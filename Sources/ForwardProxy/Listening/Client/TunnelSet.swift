/// The open tunnels of one event loop.
struct TunnelSet: Sequence {
    private var handlers: [ObjectIdentifier: TunnelHandler] = [:]

    mutating func insert(_ handler: TunnelHandler) {
        handlers[ObjectIdentifier(handler)] = handler
    }

    mutating func remove(_ handler: TunnelHandler) {
        handlers[ObjectIdentifier(handler)] = nil
    }

    subscript(id: ObjectIdentifier) -> TunnelHandler? { handlers[id] }

    var count: Int { handlers.count }

    func makeIterator() -> Dictionary<ObjectIdentifier, TunnelHandler>.Values.Iterator {
        handlers.values.makeIterator()
    }

    func closeAll() {
        for handler in handlers.values { handler.close() }
    }
}
