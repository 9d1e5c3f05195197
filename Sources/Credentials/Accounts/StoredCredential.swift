package import OAuthSigning

/// A credential as the vault keeps it: the token, what the provider said along with it, and when.
package struct StoredCredential: Sendable, Equatable {
    package var token: TokenCredentials
    /// The other members of the provider's answer, decoded (`user_id`, `screen_name`…). Never a secret.
    package var attributes: [String: String]
    /// Whole seconds since 1970-01-01T00:00:00Z.
    package var obtainedAt: UInt64

    package init(token: TokenCredentials, attributes: [String: String] = [:], obtainedAt: UInt64) {
        self.token = token
        self.attributes = attributes
        self.obtainedAt = obtainedAt
    }
}
