/// Bounds on what the proxy holds at once.
package struct ProxyLimits: Sendable, Equatable {
    /// Client connections, over all event loops.
    package var connections = 10_000
    /// Octets of one header block, start-line included.
    package var header = 64 * 1024
    /// Idle upstream connections kept for each host though nobody uses them, over all event loops.
    package var pooledPerHost = 64
    /// Requests that may wait for one account's token exchange.
    package var exchangeWaiters = 1000
    /// Requests of one client that may be in flight: of a configured one, else of one address. Nil: as many as come.
    package var requestsPerClient: Int?

    package init() {}
}
