import Bytes

/// The connections to an API's hosts.
package struct ConnectionStatus: Equatable, Sendable, Decodable {
    package var idle: Int
    package var inUse: Int
    /// Requests that wait for a connection.
    package var waiting: Int

    package init(idle: Int = 0, inUse: Int = 0, waiting: Int = 0) {
        self.idle = idle
        self.inUse = inUse
        self.waiting = waiting
    }

    var json: JSONText {
        .object([("idle", .integer(idle)), ("in_use", .integer(inUse)), ("waiting", .integer(waiting))])
    }
}
