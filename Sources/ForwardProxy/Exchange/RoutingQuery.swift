import NIOCore
import Routing

/// Routing's questions asked of buffers.
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
        method: ByteBuffer,
        target: ByteBuffer,
        host: ByteBuffer?,
        account: ByteBuffer?
    ) -> RequestDecision {
        let hostOctets = host ?? ByteBuffer()
        let accountOctets = account ?? ByteBuffer()
        return router.decide(
            inside: interception,
            method: method.readableBytesUInt8Span,
            target: target.readableBytesUInt8Span,
            host: host == nil ? nil : hostOctets.readableBytesUInt8Span,
            account: account == nil ? nil : accountOctets.readableBytesUInt8Span
        )
    }

    static func decide(
        _ router: Router,
        absolute target: ByteBuffer,
        method: ByteBuffer,
        host: ByteBuffer?,
        proxyAuthorization: ByteBuffer?,
        account: ByteBuffer?,
        known: inout KnownOrigin?
    ) -> RequestDecision {
        let hostOctets = host ?? ByteBuffer()
        let authorizationOctets = proxyAuthorization ?? ByteBuffer()
        let accountOctets = account ?? ByteBuffer()
        return router.decide(
            absolute: target.readableBytesUInt8Span,
            method: method.readableBytesUInt8Span,
            host: host == nil ? nil : hostOctets.readableBytesUInt8Span,
            proxyAuthorization: proxyAuthorization == nil ? nil : authorizationOctets.readableBytesUInt8Span,
            account: account == nil ? nil : accountOctets.readableBytesUInt8Span,
            known: &known
        )
    }
}
