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
    ///   - signed: The signature; nil when the request goes on unsigned.
    ///   - keepsAuthorization: Whether the client's own credentials go on.
    ///   - tokenField: Where the authorization goes; nil: into Authorization.
    ///   - collected: The body that is sent with the head, when it was collected; nil when it streams.
    ///   - expectationIsMet: Whether the client has been told to continue.
    ///   - upgrade: The protocols to offer to switch to; nil: none.
    ///   - isComplete: Whether nothing follows the head, but for a collected body.
    ///   - fields: Scratch space, that holds the fields to add afterwards.
    static func prepare(
        head: RequestHead,
        route: RequestRoute,
        signed: SignedRequest?,
        collected: ByteBuffer?,
        expectationIsMet: Bool,
        keepsAuthorization: Bool,
        tokenField: TokenField? = nil,
        upgrade: ByteBuffer? = nil,
        isComplete: Bool,
        fields: inout AppendedFields
    ) -> OutgoingRequest {
        fields.removeAll()
        var dropped = consumed
        if !keepsAuthorization || route.gateway?.consumesAuthorization == true { dropped.insert(.authorization) }
        if expectationIsMet { dropped.insert(.expect) }
        if let value = signed?.authorization {
            if let tokenField {
                fields.append(tokenField.name, value.span.bytes)
            } else {
                fields.append(.authorization, "Authorization: ", value.span.bytes)
            }
        }
        if let length = collected?.readableBytes {
            dropped.insert(.transferEncoding)
            dropped.insert(.trailer)
            if head.framing != .length(UInt64(length)), head.framing != .none || length > 0 {
                dropped.insert(.contentLength)
                fields.append(.contentLength, "Content-Length: ", text: String(length))
            }
        }
        fields.append(.via, line: via(head.version))
        return OutgoingRequest(
            target: signed?.target.map { ByteBuffer(bytes: $0) } ?? (route.replacesTarget ? route.requestTarget : nil),
            scheme: route.scheme,
            host: route.replacesHost ? route.host : nil,
            dropped: dropped,
            tokenField: tokenField,
            acceptsTrailers: acceptsTrailers(head),
            upgrade: upgrade,
            body: collected,
            isComplete: isComplete
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
