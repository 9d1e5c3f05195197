import OAuthSigning

/// Token credentials or temporary credentials, as a provider issues them (RFC 5849, sections 2.1 and 2.3).
struct IssuedToken {
    let token: TokenCredentials
    /// `oauth_callback_confirmed` (section 2.1).
    let confirmsCallback: Bool
    private let members: AnswerMembers

    /// Nil unless there is exactly one token and one secret, neither of them empty.
    init?(_ body: [UInt8]) {
        let members = AnswerMembers(body)
        guard let token = members.text("oauth_token"), let secret = members.bytes("oauth_token_secret") else {
            return nil
        }
        self.members = members
        self.token = TokenCredentials(token: token, secret: Secret(bytes: secret))
        confirmsCallback = members.text("oauth_callback_confirmed")?.lowercased() == "true"
    }

    /// To be kept.
    /// - Parameter secrets: What the provider was sent, and must not come back as an attribute.
    func credential(obtainedAt: UInt64, secrets: [Secret]) -> StoredCredential {
        StoredCredential(
            token: .oauth1(token),
            attributes: members.attributes(scrubber: Scrubber(secrets: secrets + [token.secret])),
            obtainedAt: obtainedAt
        )
    }
}
