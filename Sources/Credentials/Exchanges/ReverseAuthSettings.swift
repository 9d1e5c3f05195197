package import OAuthSigning

/// The addresses of the two steps of reverse auth, and who signs the second one.
package struct ReverseAuthSettings: Sendable {
    /// Step 1: an absolute `https` (or `http`) URL without a fragment.
    package var requestTokenURL: String
    /// Step 2, likewise.
    package var accessTokenURL: String
    /// The platform account that vouches for the user in step 2.
    package var signedAs: (client: ClientCredentials, token: TokenCredentials)

    package init(
        requestTokenURL: String,
        accessTokenURL: String,
        signedAs: (client: ClientCredentials, token: TokenCredentials)
    ) {
        self.requestTokenURL = requestTokenURL
        self.accessTokenURL = accessTokenURL
        self.signedAs = signedAs
    }
}
