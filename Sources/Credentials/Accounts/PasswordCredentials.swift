package import OAuthSigning

/// A user's name and password (RFC 6749, section 4.3; xAuth).
package struct PasswordCredentials: Sendable, Equatable {
    package var username: String
    package var password: Secret

    package init(username: String, password: Secret) {
        self.username = username
        self.password = password
    }
}
