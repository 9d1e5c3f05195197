package import Credentials
package import Routing

/// All that the proxy is told at start-up.
package struct ProxySettings: Sendable {
    package var address: ListenAddress
    /// The router, which knows who may use the proxy, for what, and which API a host belongs to. Its indices of APIs
    /// and accounts are those of ``apis``.
    package var router: Router
    package var apis: [APISettings]
    /// Nil: accounts are those of ``apis`` alone.
    package var enrolment: EnrolmentSettings?
    /// The proxy that connections to hosts of no API are made through; nil: none.
    package var upstreamProxy: UpstreamProxy?
    package var limits: ProxyLimits
    package var timeouts: ProxyTimeouts
    /// Indicates whether clients of intercepted hosts are offered HTTP/2.
    package var offersHTTP2: Bool
    /// The form in which the lines of the access log are written.
    package var accessLogFormat: LogFormat
    /// Indicates whether connections of other users of this machine are closed at once. Only for a listener on
    /// loopback.
    package var admitsOwnUserOnly = false

    package init(
        address: ListenAddress = .anyLoopback,
        router: Router,
        apis: [APISettings],
        enrolment: EnrolmentSettings? = nil,
        upstreamProxy: UpstreamProxy? = nil,
        limits: ProxyLimits = ProxyLimits(),
        timeouts: ProxyTimeouts = ProxyTimeouts(),
        offersHTTP2: Bool = true,
        accessLogFormat: LogFormat = .json
    ) {
        self.address = address
        self.router = router
        self.apis = apis
        self.enrolment = enrolment
        self.upstreamProxy = upstreamProxy
        self.limits = limits
        self.timeouts = timeouts
        self.offersHTTP2 = offersHTTP2
        self.accessLogFormat = accessLogFormat
    }
}
