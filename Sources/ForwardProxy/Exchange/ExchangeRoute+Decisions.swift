import Bytes
import HTTP1Codec
import NIOCore
import OAuthSigning
import Routing

extension ExchangeRoute {
    /// A request that is signed.
    init(forwarding: borrowing Forwarding, head: borrowing RequestHead) {
        let upstreamScheme = forwarding.route.upstreamScheme
        let field = head.fields.value(of: .host)
        let keeps =
            forwarding.hostNamesUpstream
            || (field.map { Self.names($0, forwarding.upstream, scheme: upstreamScheme) } ?? false)
        self.init(
            target: UpstreamTarget(kind: .api(forwarding.route.index), authority: forwarding.upstream),
            scheme: upstreamScheme == .https ? .https : .http,
            requestTarget: Self.originForm(of: head, from: forwarding.originOffset),
            replacesTarget: forwarding.originOffset > 0,
            replacesHost: !keeps,
            host: keeps
                ? field ?? ByteBuffer()
                : ByteBuffer(string: forwarding.upstream.fieldValue(defaultPort: upstreamScheme.defaultPort)),
            account: AccountReference(forwarding),
            clientName: forwarding.client?.name
        )
    }

    /// A request that came to a gateway, and is signed.
    init(
        forwarding: borrowing Forwarding,
        head: borrowing RequestHead,
        gateway: GatewayRequest
    ) {
        let upstreamScheme = forwarding.route.upstreamScheme
        self.init(
            target: UpstreamTarget(kind: .api(forwarding.route.index), authority: forwarding.upstream),
            scheme: upstreamScheme == .https ? .https : .http,
            requestTarget: Self.originForm(of: head, from: forwarding.originOffset),
            replacesTarget: forwarding.originOffset > 0,
            replacesHost: true,
            host: ByteBuffer(string: forwarding.upstream.fieldValue(defaultPort: upstreamScheme.defaultPort)),
            account: AccountReference(forwarding),
            clientName: forwarding.client?.name,
            gateway: gateway
        )
    }

    /// A request for a host of no API, sent on as it is.
    init(passing head: borrowing RequestHead, to authority: Authority, originOffset: Int, client: Client?) {
        self.init(
            target: UpstreamTarget(kind: .plain, authority: authority),
            scheme: .http,
            requestTarget: Self.originForm(of: head, from: originOffset),
            replacesTarget: originOffset > 0,
            replacesHost: true,
            host: ByteBuffer(string: authority.fieldValue(defaultPort: 80)),
            account: nil,
            clientName: client?.name
        )
    }

    /// Returns whether a Host field can stay as it is.
    private static func names(_ field: ByteBuffer, _ authority: Authority, scheme: URIScheme) -> Bool {
        let parsed = try? Authority(parsing: field.readableBytesUInt8Span, defaultPort: scheme.defaultPort)
        return parsed == authority
    }

    /// The request-target from the path on, byte for byte; `/` where there is no path (RFC 9112, section 3.2.1), and
    /// `*` where OPTIONS has neither path nor query (section 3.2.4).
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

extension AccountReference {
    init(_ forwarding: borrowing Forwarding) {
        let api = forwarding.route.index
        self =
            if let index = forwarding.account.index {
                .configured(api: api, account: index)
            } else {
                .enrolled(api: api, name: forwarding.account.name)
            }
    }
}
