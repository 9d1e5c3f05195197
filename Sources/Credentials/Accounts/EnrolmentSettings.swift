package import OAuthSigning

/// The rules for who may enrol accounts, and where each kind of claim is verified (`enrolment`).
package struct EnrolmentSettings: Sendable {
    /// The place where the claims of one access type are verified.
    package struct Target: Sendable {
        /// The API's place in the list of APIs.
        package var api: Int
        /// Answers who the token belongs to; an absolute URL on one of the API's hosts. Nil: only with the password
        /// grant, whose success is the proof.
        package var verifyURL: String?
        /// The member of the answer that holds the id, in the outermost JSON object.
        package var idMember: String

        package init(api: Int, verifyURL: String? = nil, idMember: String = "id") {
            self.api = api
            self.verifyURL = verifyURL
            self.idMember = idMember
        }
    }

    /// The token that the admin listener asks for (`Authorization: Bearer`); nil: none.
    package var token: Secret?
    package var targets: [EnrolmentAccessType: Target]

    package init(token: Secret? = nil, targets: [EnrolmentAccessType: Target] = [:]) {
        self.token = token
        self.targets = targets
    }

    /// Returns where the claims of an API's accounts are verified; nil: none can be enrolled. An API has claims of one
    /// access type alone, which goes with how its requests are authorized.
    package func target(of api: Int) -> Target? { targets.values.first { $0.api == api } }
}

/// The kinds of claims of `POST /register`, by the numbers that requests have for them.
package enum EnrolmentAccessType: Int, Sendable, CaseIterable {
    /// `passkey` and `passcode` are a user's name and password.
    case password = 0
    /// `passcode` is an access token.
    case bearer = 1
    /// `passcode` is `oauth_token:oauth_token_secret`.
    case oauth1 = 2
}
