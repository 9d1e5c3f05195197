/// The credentials that a person gives for a request, of which any may be missing.
package struct ExplainableCredentials: Sendable {
    /// The consumer key. Without one, only what is given here is sent, and the signature.
    package var consumerKey: String?
    package var consumerSecret: Secret?
    /// The token: nil is none; empty is sent empty.
    package var token: String?
    package var tokenSecret: Secret?
    /// The private key in PEM, for the RSA methods.
    package var privateKey: Secret?
    /// The same, read already; used where ``privateKey`` is nil.
    package var signingKey: RSASigningKey?

    package init(
        consumerKey: String? = nil,
        consumerSecret: Secret? = nil,
        token: String? = nil,
        tokenSecret: Secret? = nil,
        privateKey: Secret? = nil,
        signingKey: RSASigningKey? = nil
    ) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
        self.tokenSecret = tokenSecret
        self.privateKey = privateKey
        self.signingKey = signingKey
    }

    func signer(_ options: SigningOptions) throws(SigningError) -> Signer {
        var client = ClientCredentials(identifier: consumerKey ?? "", sharedSecret: consumerSecret ?? Secret(""))
        if options.signatureMethod.isRSA {
            client.privateKey =
                try privateKey.map { key throws(SigningError) in try RSASigningKey(pem: key) } ?? signingKey
        }
        // The token's secret is part of the key even when the token itself is not sent.
        let token = TokenCredentials(token: token ?? "", secret: tokenSecret ?? Secret(""))
        return try Signer(client: client, token: token, options: options)
    }
}
