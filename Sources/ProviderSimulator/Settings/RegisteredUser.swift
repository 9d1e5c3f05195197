package import OAuthSigning

/// A user with a password. The screen name is the user name.
package struct RegisteredUser: Sendable {
    package var user: ProviderUser
    package var password: Secret

    package init(user: ProviderUser, password: Secret) {
        self.user = user
        self.password = password
    }
}
