package import OAuthSigning

/// An access token that the provider accepts, such as a bearer token (RFC 6750), and on behalf of whom.
package struct AcceptedAccessToken: Sendable {
    package var token: Secret
    package var user: ProviderUser

    package init(token: Secret, user: ProviderUser) {
        self.token = token
        self.user = user
    }
}
