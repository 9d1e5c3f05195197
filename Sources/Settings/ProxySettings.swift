package import Credentials
package import NIOCore
package import Routing
package import UpstreamTrust

/// All that the proxy is told at start-up.
package struct ProxySettings: Sendable {
    package var address: ListenAddress
    /// The certificate that the proxy's own listener speaks TLS with; nil: it speaks clear text.
    package var identity: TLSIdentity?
    /// The router, which knows who may use the proxy, for what, and which API a host belongs to. Its indices of APIs
    /// and accounts are those of ``apis``.
    package var router: Router
    package var apis: [APISettings]
    /// The settings of enrolment; nil when the accounts are those of ``apis`` alone.
    package var enrolment: EnrolmentSettings?
    /// The proxy that connections to hosts of no API are made through; nil: none.
    package var upstreamProxy: UpstreamProxy?
    package var limits: ProxyLimits
    package var timeouts: ProxyTimeouts
    /// Indicates whether clients of intercepted hosts are offered HTTP/2.
    package var offersHTTP2: Bool
    /// The settings of tracing; nil when nothing is traced.
    package var tracing: TracingSettings?
    /// Indicates whether metrics of tokens have the names of accounts.
    package var namesAccountsInMetrics: Bool
    /// Indicates whether connections of other users of this machine are closed at once. Only for a listener on
    /// loopback.
    package var admitsOwnUserOnly = false

    package init(
        address: ListenAddress = .anyLoopback,
        identity: TLSIdentity? = nil,
        router: Router,
        apis: [APISettings],
        enrolment: EnrolmentSettings? = nil,
        upstreamProxy: UpstreamProxy? = nil,
        limits: ProxyLimits = ProxyLimits(),
        timeouts: ProxyTimeouts = ProxyTimeouts(),
        offersHTTP2: Bool = true,
        tracing: TracingSettings? = nil,
        namesAccountsInMetrics: Bool = false
    ) {
        self.address = address
        self.identity = identity
        self.router = router
        self.apis = apis
        self.enrolment = enrolment
        self.upstreamProxy = upstreamProxy
        self.limits = limits
        self.timeouts = timeouts
        self.offersHTTP2 = offersHTTP2
        self.tracing = tracing
        self.namesAccountsInMetrics = namesAccountsInMetrics
    }
}

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

/// The limits on how long the proxy waits, and for what.
package struct ProxyTimeouts: Sendable, Equatable {
    /// The time for an upstream TCP connection, name resolution included.
    package var connect: TimeAmount = .seconds(10)
    /// The time for a TLS handshake, on either side.
    package var handshake: TimeAmount = .seconds(10)
    /// The time for a whole request head, from the first byte, or from the opening of the connection.
    package var requestHeader: TimeAmount = .seconds(30)
    /// The time for the head of a response, from the end of the request, unless the API says otherwise.
    package var responseHeader: TimeAmount = .seconds(60)
    /// The time for a request to wait for its account's token, however many exchanges it waits for: that of another
    /// replica's lease, and then of an exchange of one's own.
    package var token: TimeAmount = .seconds(25)
    /// The time for anything to move: between requests, within a body, on a tunnel, on a pooled connection.
    package var idle: TimeAmount = .minutes(5)
    /// The time for a request to use an idle upstream connection over ``ProxyLimits/pooledPerHost``. Not configured.
    package var surplus: TimeAmount = .seconds(1)
    /// The time for a connection to make ``Progress`` where it is the client's turn; after that it may give way to
    /// newcomers. Not configured.
    package var progress: TimeAmount = .seconds(5)
    /// The time for requests in flight after a signal to stop.
    package var drain: TimeAmount = .seconds(30)
    /// The time for which an upstream connection is used for new requests, so that what was looked at when it was made
    /// is looked at again: certificates that expire, pins, what a name resolves to. Up to a tenth less, so that
    /// connections which were made together do not all end together.
    package var connectionAge: TimeAmount = .hours(1)

    package init() {}

    /// Returns when an upstream connection that is made now has reached its greatest age.
    package func endOfUse(madeAt now: NIODeadline) -> NIODeadline {
        let age = connectionAge.nanoseconds
        return now + .nanoseconds(age - Int64.random(in: 0...age / 10))
    }
}
