/// Bounds on what the proxy holds at once.
package struct ProxyLimits: Sendable, Equatable {
    /// Client connections, over all event loops.
    package var connections = 10_000
    /// Bytes of one header block, start-line included.
    package var header = 64 * 1024
    /// Idle upstream connections kept for each host though nobody uses them, over all event loops.
    package var pooledPerHost = 64
    /// Requests that may wait for one account's token exchange, shared by the clients that use it.
    package var exchangeWaiters = 1000
    /// Requests of one client that may be in flight: of a configured one, else of one address. Nil: as many as come.
    package var requestsPerClient: Int?
    /// Connections upstream that one client may have for its requests. Nil: only what all share bounds them.
    package var upstreamPerClient: Int?
    /// Tunnels that one client may have. Nil: likewise.
    package var tunnelsPerClient: Int?
    /// Bytes of requests that are held, over all clients: bodies that take part in a signature or may have to be sent
    /// again, large heads. One client has a quarter at most while others hold any.
    package var collected = 64 * 1024 * 1024
    /// Connections of clients and upstream ones that may be open together. Not configured: what the system allows.
    package var openConnections = 1 << 48
    /// Look-ups of names that clients choose which may wait for a thread, those for all clients together. What one
    /// client that is alone may have of them is about what the threads get through in `timeouts.connect` where an
    /// answer takes 30 ms. Not configured, and not changed by a reload.
    package var lookupsInLine = Self.usualLookupsInLine
    package static let usualLookupsInLine = 4096

    package init() {}
}
