/// The use of what all clients share.
package struct SharedUse: Equatable, Sendable {
    /// An amount that is bounded.
    package struct Amount: Equatable, Sendable {
        package var used: Int
        /// The most that may be in use; nil when nothing that is known bounds it.
        package var limit: Int?

        package init(used: Int, limit: Int?) {
            self.used = used
            self.limit = limit
        }
    }

    /// The connections of clients (`limits.connections`).
    package var clientConnections: Amount
    /// These and upstream ones: as many as the process may have files open.
    package var openConnections: Amount
    /// Bytes of requests that are held (`limits.collected`).
    package var heldBytes: Amount

    package init(clientConnections: Amount, openConnections: Amount, heldBytes: Amount) {
        self.clientConnections = clientConnections
        self.openConnections = openConnections
        self.heldBytes = heldBytes
    }
}
