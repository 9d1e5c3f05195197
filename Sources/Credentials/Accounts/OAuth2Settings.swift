package import OAuthSigning

/// An API whose requests carry an access token had by the password grant (RFC 6749, section 4.3).
package struct OAuth2Settings: Sendable {
    /// The way in which the client identifies itself to the token endpoint (RFC 6749, section 2.3.1).
    package enum ClientAuthentication: String, Sendable, CaseIterable {
        /// `client_id` and `client_secret` in the form.
        case body
        /// `Authorization: Basic`.
        case basic
    }

    /// The token endpoint: an absolute `https` (or `http`) URL without a fragment.
    package var tokenURL: String
    package var clientID: String
    package var clientSecret: Secret
    package var header: HeaderTemplate
    /// Indicates whether requests to the token endpoint say their `grant_type`. oPRO's do not.
    package var sendsGrantType: Bool
    package var clientAuthentication: ClientAuthentication
    /// `scope` of the password grant (RFC 6749, section 3.3); nil: not sent.
    package var scope: String?

    package init(
        tokenURL: String,
        clientID: String,
        clientSecret: Secret,
        header: HeaderTemplate = .bearer,
        sendsGrantType: Bool = true,
        clientAuthentication: ClientAuthentication = .body,
        scope: String? = nil
    ) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.header = header
        self.sendsGrantType = sendsGrantType
        self.clientAuthentication = clientAuthentication
        self.scope = scope
    }
}
