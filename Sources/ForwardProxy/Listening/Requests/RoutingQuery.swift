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
