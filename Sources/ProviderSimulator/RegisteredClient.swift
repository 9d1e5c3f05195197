package import OAuthSigning

/// A client the provider knows: an application, or a platform that vouches for its users (RFC 5849, section 1.1).
package struct RegisteredClient: Sendable {
    package var consumerKey: String
    package var consumerSecret: Secret

    package init(consumerKey: String, consumerSecret: Secret) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
    }
}
