/// How an account's requests are signed.
package struct SigningOptions: Equatable, Sendable {
    package var signatureMethod: SignatureMethod
    /// Sent first in the `Authorization` field, as a quoted-string; never signed.
    package var realm: String?
    package var bodyHash: BodyHashPolicy
    package var placement: ParameterPlacement
    /// Whether an empty `oauth_token` is sent when there is no token.
    package var sendsEmptyToken: Bool
    /// Whether `oauth_version="1.0"` is sent.
    package var includesVersion: Bool
    /// What is left out although RFC 5849, section 3.1 asks for it (it lets PLAINTEXT do without nonce and timestamp).
    package var omitted: OmittedParameters

    package init(
        signatureMethod: SignatureMethod = .hmacSHA1,
        realm: String? = nil,
        bodyHash: BodyHashPolicy = .off,
        placement: ParameterPlacement = .header,
        sendsEmptyToken: Bool = false,
        includesVersion: Bool = true,
        omitted: OmittedParameters = []
    ) {
        self.signatureMethod = signatureMethod
        self.realm = realm
        self.bodyHash = bodyHash
        self.placement = placement
        self.sendsEmptyToken = sendsEmptyToken
        self.includesVersion = includesVersion
        self.omitted = omitted
    }
}
