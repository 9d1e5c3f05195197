package import Credentials
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
