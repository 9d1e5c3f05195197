import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

/// Turns a client's request head into the one that goes upstream.
enum RequestForwarding {
    /// Fields that end at this hop (RFC 9110, section 7.6.1), and those meant for this proxy alone.
    private static let consumed: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .te, .upgrade, .http2Settings,
        .proxyAuthorization, .proxyAuthenticate, .proxyAuthenticationInfo, .paraphAccount,
    ]

    /// Returns what is sent of a request that came with `head`.
    ///
    /// - Parameters:
    ///   - body: The body that is at hand; nil when it streams, or there is none.
    ///   - upgrade: The protocols to offer to switch to; nil: none.
    ///   - fields: Scratch space, that holds the fields to add afterwards.
    static func prepare(
        head: RequestHead,
        route: RequestRoute,
        credentials: OutgoingCredentials,
        body: OutgoingBody?,
        upgrade: ByteBuffer? = nil,
        fields: inout AppendedFields
    ) -> OutgoingRequest {
        fields.removeAll()
        var dropped = consumed
        if !credentials.keepsOwn || route.gateway?.consumesAuthorization == true { dropped.insert(.authorization) }
        if body?.isCollected == true { dropped.insert(.expect) }
        if let value = credentials.signed?.authorization {
            if let tokenField = credentials.field {
                fields.append(tokenField.name, value.span.bytes)
            } else {
                fields.append(.authorization, "Authorization: ", value.span.bytes)
            }
        }
        let bodyWithHead = body?.withHead
        if let length = bodyWithHead?.readableBytes {
            dropped.insert(.transferEncoding)
            dropped.insert(.trailer)
            if head.framing != .length(UInt64(length)), head.framing != .none || length > 0 {
                dropped.insert(.contentLength)
                fields.append(.contentLength, "Content-Length: ", text: String(length))
            }
        }
        fields.append(.via, line: via(head.version))
        return OutgoingRequest(
            target: credentials.signed?.target.map { ByteBuffer(bytes: $0) }
                ?? (route.replacesTarget ? route.requestTarget : nil),
            scheme: route.scheme,
            host: route.replacesHost ? route.host : nil,
            dropped: dropped,
            tokenField: credentials.field,
            acceptsTrailers: acceptsTrailers(head),
            upgrade: upgrade,
            body: bodyWithHead,
            isComplete: body.map { $0.trailers == nil } ?? (head.framing == .none || head.framing == .length(0))
        )
    }

    static func via(_ version: HTTPVersion) -> StaticString {
        switch version {
        case .http10: "Via: 1.0 paraph\r\n"
        case .http11: "Via: 1.1 paraph\r\n"
        case .http2: "Via: 2 paraph\r\n"
        }
    }

    private static func acceptsTrailers(_ head: RequestHead) -> Bool {
        guard head.fields.contains(.te), let value = head.fields.string(of: .te) else { return false }
        return value.split(separator: ",").contains { member in
            member.split(separator: ";").first.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() } == "trailers"
        }
    }
}
