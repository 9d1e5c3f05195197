package import Bytes
import HTTP1Codec
package import NIOCore

/// The route of one request: where it goes and in which form, and the account that it is authorized as.
package struct RequestRoute: Sendable {
    /// The API that the request is for; nil for a host of no API, which the request is sent on to as it is, in clear
    /// text.
    package let api: APIRoute?
    /// The account that the request is authorized as; nil for a host of no API.
    package let account: Account?
    /// The one authority of the request: signed, sent as Host, and verified in the upstream's certificate.
    package let authority: Authority
    /// The origin-form request-target as sent upstream, unless the signature is placed in its query.
    package let requestTarget: ByteBuffer
    /// Indicates whether ``requestTarget`` is another one than the client's.
    package let replacesTarget: Bool
    /// The value of the Host field that is sent, which is what is signed.
    package let host: ByteBuffer
    /// Indicates whether the client's Host field, though it means the same, must be replaced by ``authority``'s own
    /// form.
    package let replacesHost: Bool
    /// The configured client that sent it; nil when no clients are configured.
    package let client: Client?
    /// The gateway that the request came to; nil when it came to none.
    package let gateway: GatewayRequest?

    /// The scheme used upstream, which is the one that is signed.
    package var scheme: URIScheme { api?.upstreamScheme ?? .http }
}

extension RequestRoute {
    /// A request for an API.
    ///
    /// - Parameters:
    ///   - originOffset: The offset at which the origin-form begins in the request-target as it came.
    ///   - upstream: The authority that the request goes to.
    ///   - hostNamesUpstream: Whether the Host field is known to name that, in the form that is sent; false: it may
    ///     yet.
    init(
        _ head: borrowing RequestHead,
        from originOffset: Int,
        to api: APIRoute,
        at upstream: Authority,
        as account: Account,
        hostNamesUpstream: Bool,
        of client: Client?
    ) {
        let defaultPort = api.upstreamScheme.defaultPort
        let field = head.fields.value(of: .host)
        let keeps = hostNamesUpstream || (field.map { Self.names($0, upstream, defaultPort: defaultPort) } ?? false)
        self.init(
            api: api,
            account: account,
            authority: upstream,
            requestTarget: Self.originForm(of: head, from: originOffset),
            replacesTarget: originOffset > 0,
            host: keeps ? field ?? ByteBuffer() : ByteBuffer(string: upstream.fieldValue(defaultPort: defaultPort)),
            replacesHost: !keeps,
            client: client,
            gateway: nil
        )
    }

    /// A request that came to a gateway.
    init(
        _ head: borrowing RequestHead,
        from originOffset: Int,
        as account: Account,
        of client: Client?,
        gateway request: GatewayRequest
    ) {
        let (api, upstream) = (request.gateway.route, request.gateway.upstream)
        self.init(
            api: api,
            account: account,
            authority: upstream,
            requestTarget: Self.originForm(of: head, from: originOffset),
            replacesTarget: originOffset > 0,
            host: ByteBuffer(string: upstream.fieldValue(defaultPort: api.upstreamScheme.defaultPort)),
            replacesHost: true,
            client: client,
            gateway: request
        )
    }

    /// A request for a host of no API, by `http`.
    init(passing head: borrowing RequestHead, from originOffset: Int, to authority: Authority, of client: Client?) {
        self.init(
            api: nil,
            account: nil,
            authority: authority,
            requestTarget: Self.originForm(of: head, from: originOffset),
            replacesTarget: originOffset > 0,
            host: ByteBuffer(string: authority.fieldValue(defaultPort: 80)),
            replacesHost: true,
            client: client,
            gateway: nil
        )
    }

    /// Returns whether a Host field can stay as it is.
    private static func names(_ field: ByteBuffer, _ authority: Authority, defaultPort: Int) -> Bool {
        let parsed = try? Authority(parsing: field.readableBytesUInt8Span, defaultPort: defaultPort)
        return parsed == authority
    }

    /// The request-target from the path on, byte for byte; `/` where there is no path (RFC 9112, section 3.2.1), and
    /// `*` where OPTIONS has neither path nor query (RFC 9112, section 3.2.4).
    private static func originForm(of head: borrowing RequestHead, from offset: Int) -> ByteBuffer {
        guard offset > 0 else { return head.target }
        var rest = head.target
        rest.moveReaderIndex(forwardBy: offset)
        if head.method == .options, rest.readableBytes == 0 { return ByteBuffer(staticString: "*") }
        guard rest.readableBytesView.first != UInt8(ascii: "/") else { return rest }
        var path = ByteBuffer()
        path.writeStaticString("/")
        path.writeBuffer(&rest)
        return path
    }
}
