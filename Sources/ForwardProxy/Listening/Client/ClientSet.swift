/// The clients' connections of one event loop.
struct ClientSet: Sequence {
    private var connections: [ObjectIdentifier: any ClientConnection] = [:]

    mutating func insert(_ connection: any ClientConnection) {
        connections[ObjectIdentifier(connection)] = connection
    }

    mutating func remove(_ connection: any ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    subscript(id: ObjectIdentifier) -> (any ClientConnection)? { connections[id] }

    func makeIterator() -> Dictionary<ObjectIdentifier, any ClientConnection>.Values.Iterator {
        connections.values.makeIterator()
    }
}
