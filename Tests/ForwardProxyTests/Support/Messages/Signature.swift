import Bytes
import OAuthSigning

/// Verifies what an upstream received, on the very bytes.
func verify(_ message: Message, scheme: URIScheme) throws(VerificationFailure) -> VerifiedRequest {
    let method = Array(message.method.utf8)
    let authority = Array((message["Host"] ?? "").utf8)
    let target = message.target.latin1Bytes
    let body = message.body.latin1Bytes
    let contentType = Array((message["Content-Type"] ?? "").utf8)
    let authorization = Array((message["Authorization"] ?? "").utf8)
    let isInField = message["Authorization"] != nil
    return try SignatureVerification.verify(
        method: method.span,
        scheme: scheme,
        authority: authority.span,
        target: target.span,
        contentType: contentType.span,
        body: body.span,
        authorization: isInField ? authorization.span : nil,
        clientSecret: { $0 == "key" ? ProxySetup.Secrets.client.sharedSecret : nil },
        tokenSecret: { $0 == ProxySetup.Secrets.token.token ? ProxySetup.Secrets.token.secret : nil }
    ).get()
}
