import ForwardProxy
import NIOCore
import ParaphConfiguration

extension ProxySettings {
    /// Puts what the configuration file says in the proxy's own terms.
    init(_ configuration: Configuration, accessLogFormat: AccessLogFormat) {
        var limits = ProxyLimits()
        limits.connections = configuration.limits.connections
        limits.header = configuration.limits.header
        limits.pooledPerHost = configuration.limits.pooledPerHost
        limits.exchangeWaiters = configuration.limits.exchangeWaiters
        limits.requestsPerClient = configuration.limits.requestsPerClient
        limits.upstreamPerClient = configuration.limits.upstreamPerClient
        limits.tunnelsPerClient = configuration.limits.tunnelsPerClient
        limits.collected = configuration.limits.collected
        var timeouts = ProxyTimeouts()
        timeouts.connect = TimeAmount(configuration.timeouts.connect)
        timeouts.handshake = TimeAmount(configuration.timeouts.handshake)
        timeouts.requestHeader = TimeAmount(configuration.timeouts.requestHeader)
        timeouts.responseHeader = TimeAmount(configuration.timeouts.responseHeader)
        timeouts.idle = TimeAmount(configuration.timeouts.idle)
        timeouts.connectionAge = TimeAmount(configuration.timeouts.connectionAge)
        timeouts.drain = TimeAmount(configuration.timeouts.drain)
        self.init(
            host: configuration.listen.proxy.host,
            port: configuration.listen.proxy.port,
            router: configuration.router,
            apis: configuration.apis.map(APISettings.init),
            enrolment: configuration.enrolment,
            upstreamProxy: configuration.upstreamProxy,
            limits: limits,
            timeouts: timeouts,
            accessLogFormat: accessLogFormat
        )
        offersHTTP2 = configuration.http2.clients
    }
}
