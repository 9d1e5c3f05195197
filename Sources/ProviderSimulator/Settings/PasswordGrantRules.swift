package import OAuthSigning

/// The OAuth 2 password grant, and the refresh that goes with it.
package struct PasswordGrantRules: Sendable {
    package enum Style: Sendable {
        /// No `grant_type`; a refusal names the client secret.
        case oPRO
        /// RFC 6749, sections 4.3 and 6.
        case rfc6749
    }

    package enum ClientAuthentication: Sendable {
        /// `client_id` and `client_secret` in the form.
        case body
        /// HTTP Basic.
        case basic
        case either
    }

    package var style: Style
    package var clientID: String
    package var clientSecret: Secret
    package var clientAuthentication = ClientAuthentication.either
    /// Seconds for which an access token is good; nil: until it is revoked, and no `expires_in` is sent.
    package var lifetime: UInt64? = 3600
    package var issuesRefreshTokens = true
    /// Indicates whether a refresh gives a new refresh token. An old one that comes back revokes all that came of it.
    package var rotatesRefreshTokens = true
    package var scope: String?

    package init(style: Style, clientID: String, clientSecret: Secret) {
        self.style = style
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}
