/// Redirection-based authorization (RFC 5849, section 2): where its requests go, and how the verifier comes back.
package struct ThreeLeggedSettings: Sendable {
    /// The callback that the temporary credentials are asked for with.
    package enum Callback: Sendable, Equatable {
        /// A listener on loopback, made for the occasion, on any free port.
        case loopback
        /// `oob`: the provider shows the verifier, a person types it.
        case outOfBand
        /// This absolute URL, as registered with the provider. One on loopback with a port is listened on; of any other
        /// a person types what the browser was sent to.
        case address(String)
    }

    /// Temporary credentials; an absolute `https` (or `http`) URL without a fragment, as the other two.
    package var requestTokenURL: String
    /// The address that the person goes to.
    package var authorizeURL: String
    /// Token credentials.
    package var accessTokenURL: String
    package var callback: Callback
    /// Further parameters of the authorization address, decoded, in the order they are added (Trello's `expiration`).
    package var authorizeParameters: [(name: String, value: String)]
    /// Indicates whether a provider of OAuth Core 1.0 is accepted, which confirms no callback and gives no verifier.
    package var acceptsVersion10: Bool

    package init(
        requestTokenURL: String,
        authorizeURL: String,
        accessTokenURL: String,
        callback: Callback = .loopback,
        authorizeParameters: [(name: String, value: String)] = [],
        acceptsVersion10: Bool = false
    ) {
        self.requestTokenURL = requestTokenURL
        self.authorizeURL = authorizeURL
        self.accessTokenURL = accessTokenURL
        self.callback = callback
        self.authorizeParameters = authorizeParameters
        self.acceptsVersion10 = acceptsVersion10
    }
}
