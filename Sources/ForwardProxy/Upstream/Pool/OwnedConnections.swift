/// The connections to servers that belong to one client connection, each to the client that authenticated it.
///
/// NTLM and Negotiate authenticate a connection, not a request (RFC 4559, section 6): whoever else sent a request on it
/// would be that user. Such a connection goes back to its owner instead of a pool, and ends with it. Whoever
/// multiplexes several clients on one connection names the client in each request, and each has connections of its own.
final class OwnedConnections {
    /// More idle ones are closed, the oldest first: a client may have itself challenged by any number of servers.
    private static let limit = 8

    /// The keeper that a connection to a server goes back to.
    private final class Owner: UpstreamConnection.Keeper {
        private let connections: OwnedConnections
        private let client: String?

        init(_ connections: OwnedConnections, client: String?) {
            self.connections = connections
            self.client = client
        }

        func keep(_ connection: UpstreamConnection) { connections.keep(connection, for: client) }
        func forget(_ connection: UpstreamConnection) { connections.forget(connection) }
        // It is nobody's target.
        func countConnections(_ difference: Int) {}
    }

    private struct Idle {
        let client: String?
        /// Another configuration has other targets, so that none of an earlier one is leased.
        let target: any UpstreamConnection.Keeper
        let connection: UpstreamConnection
    }

    /// Those that are idle, the newest last; nil when the client's connection has ended.
    private var idle: [Idle]? = []

    /// Returns what a connection goes back to that belongs to a client.
    ///
    /// - Parameter client: The name of a configured client; nil: whoever is at the connection's address.
    func owner(for client: String?) -> any UpstreamConnection.Keeper { Owner(self, client: client) }

    /// An idle connection of a client's to a target, if there is one that is still open.
    func leaseIdle(to target: TargetPool, for client: String?) -> UpstreamConnection? {
        while let index = idle?.lastIndex(where: { $0.target === target && $0.client == client }),
            let connection = idle?.remove(at: index).connection
        {
            if connection.isUsable { return connection }
            connection.close()
        }
        return nil
    }

    private func keep(_ connection: UpstreamConnection, for client: String?) {
        guard var idle, connection.isUsable, let target = connection.target else { return connection.close() }
        idle.append(Idle(client: client, target: target, connection: connection))
        let oldest = idle.count > Self.limit ? idle.removeFirst() : nil
        self.idle = idle
        oldest?.connection.close()
    }

    private func forget(_ connection: UpstreamConnection) {
        idle?.removeAll { $0.connection === connection }
    }

    /// The configuration is another one: nobody would lease them any more.
    func closeIdle() {
        let connections = idle
        idle?.removeAll()
        for one in connections ?? [] { one.connection.close() }
    }

    /// The client's connection has ended.
    func end() {
        let connections = idle.take()
        for one in connections ?? [] { one.connection.close() }
    }
}

@available(*, unavailable)
extension OwnedConnections: Sendable {}
