import HTTP1Codec
import NIOCore
import OAuthSigning

/// Turns a client's request head into the one that goes upstream.
enum RequestForwarding {
    /// Fields that end at this hop (RFC 9110, section 7.6.1), and those meant for this proxy alone.
    private static let consumed: KnownFieldSet = [
        .connection, .keepAlive, .proxyConnection, .te, .upgrade, .http2Settings,
        .proxyAuthorization, .proxyAuthenticate, .proxyAuthenticationInfo, .paraphAccount,
    ]

    /// Appends the head to `out`.
    ///
    /// - Parameters:
    ///   - signed: the signature; nil when the request goes on unsigned.
    ///   - collectedLength: octets of the body that is sent with it, when it was collected; nil when it streams.
    ///   - fields: scratch space.
    static func write(
        head: RequestHead,
        route: ExchangeRoute,
        signed: SignedRequest?,
        collectedLength: Int?,
        keepsAuthorization: Bool,
        fields: inout ByteBuffer,
        into out: inout ByteBuffer
    ) {
        out.clear()
        fields.clear()
        var dropped = consumed
        if route.replacesHost {
            dropped.insert(.host)
            fields.writeStaticString("Host: ")
            fields.writeImmutableBuffer(route.host)
            fields.writeStaticString("\r\n")
        }
        if !keepsAuthorization { dropped.insert(.authorization) }
        if let value = signed?.authorization {
            fields.writeStaticString("Authorization: ")
            fields.writeBytes(value)
            fields.writeStaticString("\r\n")
        }
        if let collectedLength {
            dropped.insert(.expect)
            dropped.insert(.transferEncoding)
            dropped.insert(.trailer)
            if head.framing != .length(UInt64(collectedLength)), head.framing != .none || collectedLength > 0 {
                dropped.insert(.contentLength)
                fields.writeStaticString("Content-Length: ")
                fields.writeString(String(collectedLength))
                fields.writeStaticString("\r\n")
            }
        }
        if acceptsTrailers(head) { fields.writeStaticString("TE: trailers\r\nConnection: TE\r\n") }
        fields.writeStaticString(head.version == .http11 ? "Via: 1.1 paraph\r\n" : "Via: 1.0 paraph\r\n")
        let target = signed?.target.map { ByteBuffer(bytes: $0) } ?? route.requestTarget
        head.write(into: &out, target: target, dropping: dropped, appending: fields)
    }

    private static func acceptsTrailers(_ head: RequestHead) -> Bool {
        guard head.fields.contains(.te), let value = head.fields.string(of: .te) else { return false }
        return value.split(separator: ",").contains { member in
            member.split(separator: ";").first.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() } == "trailers"
        }
    }
}
