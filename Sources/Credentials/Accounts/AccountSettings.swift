package import OAuthSigning

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
    /// Requests are signed (RFC 5849), in this way unless an account has its own.
    case oauth1(OAuth1Settings)
    /// Requests carry an access token that is fetched and refreshed.
    case oauth2(OAuth2Settings)
    /// Requests carry an access token that never changes, in this field.
    case bearer(HeaderTemplate)
}

/// The source of an account's token.
package enum TokenSource: Sendable {
    /// A token issued by hand, and written in the configuration.
    case issued(TokenCredentials)
    /// No token: requests are signed with the client credentials and an empty token secret.
    case twoLegged
    /// A token exchanged on first use, kept in the vault.
    case reverseAuth(ReverseAuthSettings)
    /// A token exchanged on first use, too.
    case xAuth(XAuthSettings)
    /// A token obtained by a person with `paraph login`, kept in the vault.
    case threeLegged(ThreeLeggedSettings)
    /// A token granted on first use and refreshed, kept in the vault.
    case password(PasswordCredentials)
    /// An access token, written in the configuration.
    case bearer(Secret)
}

extension TokenSource {
    /// The credentials that are written in the configuration, and that the provider knows.
    package var secrets: [Secret] {
        switch self {
        case .issued(let token): [token.secret]
        case .reverseAuth(let settings): [settings.signedAs.client.sharedSecret, settings.signedAs.token.secret]
        case .xAuth(let settings): [settings.login.password]
        case .password(let login): [login.password]
        case .bearer(let token): [token]
        case .twoLegged, .threeLegged: []
        }
    }
}

/// Twitter's xAuth: a user name and a password, sent once, for a token (`x_auth_mode=client_auth`).
package struct XAuthSettings: Sendable {
    /// An absolute `https` (or `http`) URL without a fragment.
    package var accessTokenURL: String
    package var login: PasswordCredentials

    package init(accessTokenURL: String, login: PasswordCredentials) {
        self.accessTokenURL = accessTokenURL
        self.login = login
    }
}

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

/// A user's name and password (RFC 6749, section 4.3; xAuth).
package struct PasswordCredentials: Sendable, Equatable {
    package var username: String
    package var password: Secret

    package init(username: String, password: Secret) {
        self.username = username
        self.password = password
    }
}
