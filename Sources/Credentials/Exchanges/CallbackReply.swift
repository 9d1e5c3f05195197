package import OAuthSigning

/// The parameters that the provider sends the person back with (RFC 5849, section 2.2), or what the person types in
/// their stead.
package struct CallbackReply: Sendable, Equatable {
    /// `oauth_token`; nil where there is none, as with a verifier that was typed.
    package let token: String?
    /// `oauth_verifier`; nil where there is none, as from a provider of OAuth Core 1.0.
    package let verifier: Secret?
    /// Indicates whether the person said no, or the provider.
    package let isDenied: Bool

    /// - Parameter query: The query of the callback address, as it came, without the question mark.
    package init(query: some StringProtocol) {
        let members = AnswerMembers(Array(query.utf8))
        token = members.text("oauth_token") ?? members.text("denied")
        verifier = members.text("oauth_verifier").map { Secret($0) }
        isDenied = verifier == nil && ["denied", "oauth_problem", "error"].contains { members.text($0) != nil }
    }

    private init(token: String?, verifier: Secret?, isDenied: Bool) {
        self.token = token
        self.verifier = verifier
        self.isDenied = isDenied
    }

    /// The verifier alone, or the whole address that the browser was sent to. Nil when the line is neither.
    package init?(typed line: String) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let typed = words.first else { return nil }
        guard typed.contains("://") || typed.contains("oauth_verifier=") else {
            self.init(token: nil, verifier: Secret(String(typed)), isDenied: false)
            return
        }
        let address = typed.prefix { $0 != "#" }
        let reply = CallbackReply(
            query: address.firstIndex(of: "?").map { address[address.index(after: $0)...] } ?? address
        )
        guard reply.token != nil || reply.verifier != nil || reply.isDenied else { return nil }
        self = reply
    }
}
