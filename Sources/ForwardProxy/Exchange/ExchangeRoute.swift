import Bytes
import NIOCore
import OAuthSigning
import Routing

/// The destination of one request and the way it is signed: what routing decided, in the terms of the exchange.
struct ExchangeRoute {
    var target: UpstreamTarget
    /// The scheme used upstream, which is the one that is signed.
    var scheme: URIScheme
    /// The origin-form request-target as sent upstream, unless the signature is placed in its query.
    var requestTarget: ByteBuffer
    /// Indicates whether ``requestTarget`` is another one than the client's.
    var replacesTarget = true
    /// Indicates whether the client's Host field, though it means the same, must be replaced by ``authority``'s own
    /// form.
    var replacesHost: Bool
    /// The value of the Host field that is sent, which is what is signed.
    var host: ByteBuffer
    /// Which account signs; nil for a host of no API.
    var account: AccountReference?
    /// The configured client that sent it, for the log.
    var clientName: String?
    /// Nil for a request that did not come to a gateway.
    var gateway: GatewayRequest?

    /// The one authority of the request: signed, sent as Host, and verified in the upstream's certificate.
    var authority: Authority { target.authority }
}
