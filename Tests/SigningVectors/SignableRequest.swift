import Bytes
package import OAuthSigning

/// A request and the signer for it, as whole values: what the tests make up, change and compare.
package struct SignableRequest: Sendable {
    package struct Credentials: Sendable {
        package var client: ClientCredentials
        package var token: TokenCredentials?
    }

    package var credentials: Credentials
    package var signer: Signer
    package var method = Array("GET".utf8)
    package var scheme = Array("https".utf8)
    package var authority = Array("api.example.com".utf8)
    package var target = Array("/".utf8)
    package var contentType: [UInt8]?
    package var body: [UInt8]?
    package var authorization: [UInt8]?
    package var nonce = Array("4572616e48616d6d65724c61686176".utf8)
    package var timestamp = Array("137131200".utf8)
    package var additional: [ProtocolParameter] = []

    package init(
        client: ClientCredentials = ClientCredentials(identifier: "key", sharedSecret: Secret("secret")),
        token: TokenCredentials? = TokenCredentials(token: "token", secret: Secret("token secret")),
        options: SigningOptions = SigningOptions()
    ) throws(SigningError) {
        credentials = Credentials(client: client, token: token)
        signer = try Signer(client: client, token: token, options: options)
    }

    package func explain() throws(SigningError) -> SigningExplanation {
        try signer.explain(
            method: method.span,
            schemeName: scheme.span,
            authority: authority.span,
            target: target.span,
            contentType: contentType?.span,
            body: body?.span,
            nonce: nonce.span,
            timestampText: timestamp.span,
            additionalParameters: additional
        )
    }

    package func sign() throws(SigningError) -> SignedRequest {
        var scratch = SigningScratch()
        return try sign(scratch: &scratch)
    }

    package func sign(scratch: inout SigningScratch) throws(SigningError) -> SignedRequest {
        try signer.sign(
            method: method.span,
            scheme: URIScheme(rawValue: String(decoding: scheme, as: UTF8.self)) ?? .https,
            authority: authority.span,
            target: target.span,
            contentType: contentType?.span,
            body: body?.span,
            nonce: nonce.span,
            timestamp: UInt64(String(decoding: timestamp, as: UTF8.self)) ?? 0,
            additionalParameters: additional,
            scratch: &scratch
        )
    }

    /// The request as it is transmitted.
    package func applying(_ signed: SignedRequest) -> SignableRequest {
        var sent = self
        sent.authorization = signed.authorization
        sent.target = signed.target ?? target
        sent.body = signed.body ?? body
        return sent
    }

    /// Returns what the provider makes of the request as it is.
    package func verify(_ known: Credentials) -> Result<VerifiedRequest, VerificationFailure> {
        SignatureVerification.verify(
            method: method.span,
            scheme: URIScheme(rawValue: String(decoding: scheme, as: UTF8.self)) ?? .https,
            authority: authority.span,
            target: target.span,
            contentType: contentType?.span,
            body: body?.span,
            authorization: authorization?.span,
            clientSecret: { $0 == known.client.identifier ? known.client.sharedSecret : nil },
            tokenSecret: { $0 == known.token?.token ? known.token?.secret : nil },
            clientKey: { $0 == known.client.identifier ? known.client.privateKey?.verificationKey : nil }
        )
    }
}
