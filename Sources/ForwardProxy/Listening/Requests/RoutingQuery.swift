import HTTP1Codec
import NIOCore
import Routing

/// Routing's questions asked of heads and buffers.
///
/// An absent field is nil. The spans live no longer than the call.
enum RoutingQuery {
    static func decide(
        _ router: Router,
        connect target: ByteBuffer,
        proxyAuthorization: ByteBuffer?
    ) -> ConnectDecision {
        guard let proxyAuthorization else {
            return router.decide(connect: target.readableBytesUInt8Span, proxyAuthorization: nil)
        }
        return router.decide(
            connect: target.readableBytesUInt8Span,
            proxyAuthorization: proxyAuthorization.readableBytesUInt8Span
        )
    }

    static func decide(
        _ router: Router,
        inside interception: Interception,
        _ head: borrowing RequestHead
    ) -> RequestDecision {
        let bytes = head.fields.bytes.readableBytesUInt8Span
        let host = head.fields.valueRange(of: .host)
        let account = head.fields.valueRange(of: .paraphAccount)
        let hostBytes = bytes.extracting(host ?? 0..<0)
        let accountBytes = bytes.extracting(account ?? 0..<0)
        return router.decide(
            inside: interception,
            method: bytes.extracting(head.methodRange),
            target: bytes.extracting(head.targetRange),
            host: host == nil ? nil : hostBytes,
            account: account == nil ? nil : accountBytes
        )
    }

    /// - Parameter known: The origin that was decided upon last for the same client, by this very router; set to the
    ///   one that is decided upon now where that is an API's.
    static func decide(
        _ router: Router,
        absolute head: borrowing RequestHead,
        known: inout KnownOrigin?
    ) -> RequestDecision {
        let bytes = head.fields.bytes.readableBytesUInt8Span
        let host = head.fields.valueRange(of: .host)
        let authorization = head.fields.valueRange(of: .proxyAuthorization)
        let account = head.fields.valueRange(of: .paraphAccount)
        let hostBytes = bytes.extracting(host ?? 0..<0)
        let authorizationBytes = bytes.extracting(authorization ?? 0..<0)
        let accountBytes = bytes.extracting(account ?? 0..<0)
        return router.decide(
            absolute: bytes.extracting(head.targetRange),
            method: bytes.extracting(head.methodRange),
            host: host == nil ? nil : hostBytes,
            proxyAuthorization: authorization == nil ? nil : authorizationBytes,
            account: account == nil ? nil : accountBytes,
            known: &known
        )
    }
}

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
