/// The identity of the application (RFC 5849, section 1.1: the consumer key and its secret).
package struct ClientCredentials: Sendable {
    package var identifier: String
    package var sharedSecret: Secret
    /// The key that only the RSA methods need.
    package var privateKey: RSASigningKey?

    package init(identifier: String, sharedSecret: Secret, privateKey: RSASigningKey? = nil) {
        self.identifier = identifier
        self.sharedSecret = sharedSecret
        self.privateKey = privateKey
    }
}
