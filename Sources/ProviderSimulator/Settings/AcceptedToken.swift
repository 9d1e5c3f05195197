package import OAuthSigning

/// A token that the provider accepts: from whom, and on behalf of whom.
package struct AcceptedToken: Sendable {
    package var credentials: TokenCredentials
    /// The one client that may use it.
    package var consumerKey: String
    package var user: ProviderUser

    package init(credentials: TokenCredentials, consumerKey: String, user: ProviderUser) {
        self.credentials = credentials
        self.consumerKey = consumerKey
        self.user = user
    }
}
