/// The kinds of claims of `POST /register`, by the numbers that requests have for them.
package enum EnrolmentAccessType: Int, Sendable, CaseIterable {
    /// `passkey` and `passcode` are a user's name and password.
    case password = 0
    /// `passcode` is an access token.
    case bearer = 1
    /// `passcode` is `oauth_token:oauth_token_secret`.
    case oauth1 = 2
}
