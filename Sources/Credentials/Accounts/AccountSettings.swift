/// An account of an API: who requests are signed as.
package struct AccountSettings: Sendable {
    package var name: String
    package var source: TokenSource
    /// The account's own client credentials and way of signing, where they differ from the API's.
    package var oauth1: OAuth1Settings?

    package init(name: String, source: TokenSource, oauth1: OAuth1Settings? = nil) {
        self.name = name
        self.source = source
        self.oauth1 = oauth1
    }
}

/// The way in which the requests of an API are authorized.
package enum AuthorizationScheme: Sendable {
    /// Signed (RFC 5849), in this way unless an account has its own.
    case oauth1(OAuth1Settings)
    /// With an access token that is fetched and refreshed.
    case oauth2(OAuth2Settings)
    /// With an access token that never changes.
    case bearer
}
