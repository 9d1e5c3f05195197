package import OAuthSigning

/// A client the provider knows: an application, or a platform that vouches for its users (RFC 5849, section 1.1).
package struct RegisteredClient: Sendable {
    package var consumerKey: String
    package var consumerSecret: Secret
    /// Needed for the RSA methods only.
    package var publicKey: RSAVerificationKey?

    package init(consumerKey: String, consumerSecret: Secret, publicKey: RSAVerificationKey? = nil) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.publicKey = publicKey
    }
}
