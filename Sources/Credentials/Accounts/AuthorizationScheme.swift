/// The way in which the requests of an API are authorized.
package enum AuthorizationScheme: Sendable {
    /// Signed (RFC 5849), in this way unless an account has its own.
    case oauth1(OAuth1Settings)
    /// With an access token that is fetched and refreshed.
    case oauth2(OAuth2Settings)
    /// With an access token that never changes.
    case bearer
}
