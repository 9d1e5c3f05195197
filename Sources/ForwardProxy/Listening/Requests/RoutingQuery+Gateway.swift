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
        let hostBytes = host ?? ByteBuffer()
        let originBytes = origin ?? ByteBuffer()
        let siteBytes = site ?? ByteBuffer()
        let proxyAuthorizationBytes = proxyAuthorization ?? ByteBuffer()
        let authorizationBytes = authorization ?? ByteBuffer()
        let accountBytes = account ?? ByteBuffer()
        let (method, target) = (head.methodBytes, head.target)
        return router.decide(
            at: gateway,
            port: port,
            method: method.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            host: host == nil ? nil : hostBytes.readableBytesUInt8Span,
            origin: origin == nil ? nil : originBytes.readableBytesUInt8Span,
            fetchSite: site == nil ? nil : siteBytes.readableBytesUInt8Span,
            proxyAuthorization: proxyAuthorization == nil ? nil : proxyAuthorizationBytes.readableBytesUInt8Span,
            authorization: authorization == nil ? nil : authorizationBytes.readableBytesUInt8Span,
            account: account == nil ? nil : accountBytes.readableBytesUInt8Span
        )
    }
}
