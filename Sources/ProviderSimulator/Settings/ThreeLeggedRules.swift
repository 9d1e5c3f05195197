/// The rules by which a user's approval leads to a token (RFC 5849, section 2).
package struct ThreeLeggedRules: Sendable {
    package enum Version: Sendable {
        /// No `oauth_callback` with the temporary credentials, no confirmation, no verifier.
        case oauth1_0
        case oauth1_0a
    }

    package enum VerifierStyle: Sendable, Equatable {
        case digits(Int)
        case alphanumeric(Int)
    }

    /// The attributes that an answer with a token has beside it.
    package enum UserAttributes: Sendable {
        case none
        /// `user_id` and `screen_name`, as X.
        case userIDAndScreenName
        /// `fullname`, `user_nsid` and `username`, as Flickr.
        case flickr
    }

    package var version = Version.oauth1_0a
    package var verifier = VerifierStyle.digits(7)
    /// The parameters that the query must have, or else the page where a user approves is refused.
    package var requiredAuthorizeParameters: [String] = []
    /// Indicates whether `oauth_callback=oob` is allowed.
    package var allowsOutOfBand = true
    package var attributes = UserAttributes.userIDAndScreenName
    /// The media type of the form-encoded answers of the token endpoints.
    package var contentType = "text/html;charset=utf-8"
    /// Seconds for which temporary credentials are good.
    package var temporaryCredentialsLifetime: UInt64 = 900

    package init() {}
}

extension ThreeLeggedRules {
    /// Makes a verifier; nil for OAuth 1.0, which has none.
    func makeVerifier() -> String? {
        switch (version, verifier) {
        case (.oauth1_0, _): nil
        case (.oauth1_0a, .digits(let count)): RandomText.digits(count: count)
        case (.oauth1_0a, .alphanumeric(let count)): RandomText.alphanumeric(count: count)
        }
    }
}
