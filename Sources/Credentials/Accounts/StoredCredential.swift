/// A credential as the vault keeps it: the token, what the provider said along with it, and when.
package struct StoredCredential: Sendable, Equatable {
    package var token: AccountToken
    /// The other members of the provider's answer, decoded (`user_id`, `screen_name`…). Never a secret.
    package var attributes: [String: String]
    /// Whole seconds since 1970-01-01T00:00:00Z.
    package var obtainedAt: UInt64
    package var origin: CredentialOrigin
    /// Of an account enrolled with user name and password: what the grant is run with when the refresh token is refused.
    package var login: PasswordCredentials?

    package init(
        token: AccountToken,
        attributes: [String: String] = [:],
        obtainedAt: UInt64,
        origin: CredentialOrigin = .exchange,
        login: PasswordCredentials? = nil
    ) {
        self.token = token
        self.attributes = attributes
        self.obtainedAt = obtainedAt
        self.origin = origin
        self.login = login
    }
}
