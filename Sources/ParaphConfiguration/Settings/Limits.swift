/// Bounds on what the proxy holds at once.
package struct Limits: Hashable, Sendable {
    /// Client connections, over all listeners.
    package var connections = 10_000
    /// Octets of one header block, start-line included.
    package var header = 64 * 1024
    /// Idle upstream connections kept for each host.
    package var pooledPerHost = 64
    /// Requests that may wait for one account's token exchange.
    package var exchangeWaiters = 1_000

    package init() {}
}
