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
