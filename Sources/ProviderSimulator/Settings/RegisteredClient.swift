package import OAuthSigning

/// A client the provider knows: an application, or a platform that vouches for its users (RFC 5849, section 1.1).
package struct RegisteredClient: Sendable {
    package var consumerKey: String
    package var consumerSecret: Secret
    /// The key that only the RSA methods need.
    package var publicKey: RSAVerificationKey?

    package init(consumerKey: String, consumerSecret: Secret, publicKey: RSAVerificationKey? = nil) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.publicKey = publicKey
    }
}
