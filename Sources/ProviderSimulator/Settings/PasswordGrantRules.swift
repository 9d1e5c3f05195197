import Bytes
package import OAuthSigning

/// The OAuth 2 password grant, and the refresh that goes with it.
package struct PasswordGrantRules: Sendable {
    package enum Style: Sendable {
        /// No `grant_type`; a refusal names the client secret.
        case oPRO
        /// The style of RFC 6749, sections 4.3 and 6.
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

/// The authentication of the client: in the form, or by HTTP Basic (RFC 6749, section 2.3.1).
struct ClientAuthenticationCheck {
    let rules: PasswordGrantRules

    func check(_ request: ReceivedRequest) throws(GrantRefusal) {
        let basic = Self.basic(request)
        let form = request.form
        let isInForm = form["client_secret"] != nil
        switch (rules.clientAuthentication, basic) {
        case (.either, .some) where isInForm: throw .invalidRequest("The client authenticates twice.")
        case (.body, .some) where !isInForm, (.basic, nil): throw .invalidClient(challenged: basic != nil)
        case (.basic, let basic?), (.either, let basic?):
            guard isClient(basic.id, basic.secret) else { throw .invalidClient(challenged: true) }
        case (.body, _), (.either, nil):
            guard isClient(form["client_id"], form["client_secret"]) else { throw .invalidClient(challenged: false) }
        }
    }

    private func isClient(_ id: String?, _ secret: String?) -> Bool {
        id == rules.clientID && secret.map(Secret.init(_:)) == rules.clientSecret
    }

    /// Both halves are form-encoded before they are joined.
    private static func basic(_ request: ReceivedRequest) -> (id: String, secret: String)? {
        guard let value = request.values(of: "authorization").first, value.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(Array(value.utf8.dropFirst(6)).span, allowsSpareBits: true)
        else { return nil }
        let id = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard id.count < bytes.count else { return nil }
        return (FormPairs.decode(id), FormPairs.decode(bytes.dropFirst(id.count + 1)))
    }
}
