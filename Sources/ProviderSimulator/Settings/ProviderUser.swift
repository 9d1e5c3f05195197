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

/// The user a token stands for.
package struct ProviderUser: Sendable, Equatable {
    package var id: String
    package var screenName: String

    package init(id: String, screenName: String) {
        self.id = id
        self.screenName = screenName
    }
}
