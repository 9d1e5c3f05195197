/// The credentials of the account that a request is made for (RFC 5849, section 1.1: the token and its secret).
package struct TokenCredentials: Equatable, Sendable {
    package var token: String
    package var secret: Secret

    package init(token: String, secret: Secret) {
        self.token = token
        self.secret = secret
    }

    /// The values of which nothing may be shown: together they sign, and a token alone tells too much, too.
    package var secrets: [Secret] { [Secret(token), secret] }
}
