/// Idle connections to one target, the newest of which is used first; what is over the limit goes when it is not used.
///
/// Requests that come in bursts would need a handshake for most of their connections, if these were closed at once.
struct IdleConnections<Connection: AnyObject> {
    /// The number of connections that are kept though nobody uses them.
    let limit: Int
    /// The last is the newest.
    private var connections: [Connection] = []
    /// The number of connections, from the first, that nobody has used since ``startWatching()``.
    private var unusedCount = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { connections.isEmpty }
    var count: Int { connections.count }
    /// The number of connections over the limit.
    var surplus: Int { max(0, connections.count - limit) }
    /// The number of connections of the surplus that nobody has used since ``startWatching()``.
    var unneeded: Int { min(unusedCount, surplus) }

    mutating func startWatching() {
        unusedCount = connections.count
    }

    mutating func append(_ connection: Connection) {
        connections.append(connection)
    }

    mutating func takeNewest() -> Connection? {
        let newest = connections.popLast()
        unusedCount = min(unusedCount, connections.count)
        return newest
    }

    /// Takes the newest of those that are wanted.
    mutating func takeNewest(where isWanted: (Connection) -> Bool) -> Connection? {
        guard let newest = connections.last(where: isWanted) else { return nil }
        remove(newest)
        return newest
    }

    /// - Parameter count: At most as many as there are.
    mutating func takeOldest(_ count: Int) -> [Connection] {
        let oldest = Array(connections.prefix(count))
        connections.removeFirst(oldest.count)
        unusedCount = max(0, unusedCount - oldest.count)
        return oldest
    }

    mutating func takeOldest(where isWanted: (Connection) -> Bool) -> Connection? {
        guard let oldest = connections.first(where: isWanted) else { return nil }
        remove(oldest)
        return oldest
    }

    mutating func takeAll() -> [Connection] {
        defer { self = Self(limit: limit) }
        return connections
    }

    mutating func remove(_ connection: Connection) {
        guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: index)
        if index < unusedCount { unusedCount -= 1 }
    }
}
