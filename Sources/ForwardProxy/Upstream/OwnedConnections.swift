/// The connections to servers that belong to one client connection.
///
/// NTLM and Negotiate authenticate a connection, not a request (RFC 4559, section 6): whoever else sent a request on it
/// would be that user. Such a connection goes back to its owner instead of a pool, and ends with it.
final class OwnedConnections: ConnectionKeeper {
    /// More idle ones are closed, the oldest first: a client may have itself challenged by any number of servers.
    private static let limit = 8

    /// Each with where it leads to, the last one the newest. Another configuration has other targets, so that none of an
    /// earlier one is leased.
    private var idle: [(target: TargetPool, connection: UpstreamConnection)] = []
    private var hasEnded = false

    /// An idle connection to a target, if there is one that is still open.
    func leaseIdle(to target: TargetPool) -> UpstreamConnection? {
        while let index = idle.lastIndex(where: { $0.target === target }) {
            let connection = idle.remove(at: index).connection
            if connection.isUsable { return connection }
            connection.close()
        }
        return nil
    }

    func keep(_ connection: UpstreamConnection) {
        guard !hasEnded, connection.isUsable, let target = connection.target else { return connection.close() }
        idle.append((target, connection))
        if idle.count > Self.limit { idle.removeFirst().connection.close() }
    }

    func forget(_ connection: UpstreamConnection) {
        idle.removeAll { $0.connection === connection }
    }

    /// The configuration is another one: nobody would lease them any more.
    func closeIdle() {
        let connections = idle
        idle.removeAll()
        for (_, connection) in connections { connection.close() }
    }

    /// The client's connection has ended.
    func end() {
        hasEnded = true
        closeIdle()
    }
}

@available(*, unavailable)
extension OwnedConnections: Sendable {}
