import HTTP1Codec
import NIOCore
import Routing

extension RoutingQuery {
    static func decide(_ router: Router, at gateway: Gateway, port: Int, _ head: RequestHead) -> RequestDecision {
        let fields = head.fields
        let host = fields.value(of: .host)
        let origins = fields.values(named: "origin")
        // Of several, which no browser sends, none can be trusted.
        let origin = origins.count > 1 ? ByteBuffer() : origins.first
        let sites = fields.values(named: "sec-fetch-site")
        let site = sites.count > 1 ? ByteBuffer() : sites.first
        let proxyAuthorization = fields.value(of: .proxyAuthorization)
        let authorization = fields.value(of: .authorization)
        let account = fields.value(of: .paraphAccount)
        let hostOctets = host ?? ByteBuffer()
        let originOctets = origin ?? ByteBuffer()
        let siteOctets = site ?? ByteBuffer()
        let proxyAuthorizationOctets = proxyAuthorization ?? ByteBuffer()
        let authorizationOctets = authorization ?? ByteBuffer()
        let accountOctets = account ?? ByteBuffer()
        let (method, target) = (head.methodOctets, head.target)
        return router.decide(
            at: gateway,
            port: port,
            method: method.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            host: host == nil ? nil : hostOctets.readableBytesUInt8Span,
            origin: origin == nil ? nil : originOctets.readableBytesUInt8Span,
            fetchSite: site == nil ? nil : siteOctets.readableBytesUInt8Span,
            proxyAuthorization: proxyAuthorization == nil ? nil : proxyAuthorizationOctets.readableBytesUInt8Span,
            authorization: authorization == nil ? nil : authorizationOctets.readableBytesUInt8Span,
            account: account == nil ? nil : accountOctets.readableBytesUInt8Span
        )
    }
}
