package import OAuthSigning

/// An account of an API: who requests are signed as.
package struct AccountSettings: Sendable {
    package var name: String
    package var source: TokenSource
    /// The account's own client credentials, where they differ from the API's.
    package var client: ClientCredentials?
    /// The account's own way of signing, where it differs from the API's.
    package var options: SigningOptions?

    package init(
        name: String,
        source: TokenSource,
        client: ClientCredentials? = nil,
        options: SigningOptions? = nil
    ) {
        self.name = name
        self.source = source
        self.client = client
        self.options = options
    }
}
