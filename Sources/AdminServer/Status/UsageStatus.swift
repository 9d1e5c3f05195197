import Bytes

/// The use of what all clients share, and of what bounds it.
package struct UsageStatus: Equatable, Sendable, Decodable {
    package struct Amount: Equatable, Sendable, Decodable {
        package var used: Int
        /// The most that may be in use; nil when nothing that is known bounds it.
        package var limit: Int?

        package init(used: Int, limit: Int?) {
            self.used = used
            self.limit = limit
        }

        var json: JSONText { .object([("used", .integer(used)), ("limit", .integer(limit))]) }
    }

    /// The connections of clients (`limits.connections`, or fewer where the process may not have as many files open).
    package var clientConnections: Amount
    /// Connections of clients and upstream ones: as many as the process may have files open for.
    package var openConnections: Amount
    /// Bytes of requests that are held, bodies among them (`limits.collected`).
    package var heldBytes: Amount
    /// Log lines that were dropped since the start.
    package var droppedLogLines: Int

    package init(clientConnections: Amount, openConnections: Amount, heldBytes: Amount, droppedLogLines: Int) {
        self.clientConnections = clientConnections
        self.openConnections = openConnections
        self.heldBytes = heldBytes
        self.droppedLogLines = droppedLogLines
    }

    var json: JSONText {
        .object([
            ("client_connections", clientConnections.json), ("open_connections", openConnections.json),
            ("held_bytes", heldBytes.json), ("dropped_log_lines", .integer(droppedLogLines)),
        ])
    }
}
