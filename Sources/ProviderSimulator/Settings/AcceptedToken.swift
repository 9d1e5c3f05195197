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

/// An access token that the provider accepts, such as a bearer token (RFC 6750), and on behalf of whom.
package struct AcceptedAccessToken: Sendable {
    package var token: Secret
    package var user: ProviderUser

    package init(token: Secret, user: ProviderUser) {
        self.token = token
        self.user = user
    }
}
