/// Bounds on what the proxy holds at once.
package struct Limits: Hashable, Sendable {
    /// Client connections, over all listeners.
    package var connections = 10_000
    /// Bytes of one header block, start-line included.
    package var header = 64 * 1024
    /// Idle upstream connections kept for each host.
    package var pooledPerHost = 64
    /// Requests that may wait for one account's token exchange.
    package var exchangeWaiters = 1_000
    /// Requests of one client that may be in flight: of a listed one, else of one address. `nil`: as many as come.
    package var requestsPerClient: Int?
    /// Requests to one API that may be in flight; an API may say otherwise. `nil`: as many as come.
    package var requestsPerAPI: Int?
    /// Connections upstream that one client may have for its requests. `nil`: only what all share bounds them.
    package var upstreamPerClient: Int?
    /// Tunnels that one client may have. `nil`: likewise.
    package var tunnelsPerClient: Int?
    /// Bytes of requests that are held until they may be sent, over all clients.
    package var collected = 64 * 1024 * 1024

    package init() {}
}
