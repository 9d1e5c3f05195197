import OAuthSigning

/// Temporary credentials (RFC 5849, section 2.1), and what their user has decided.
struct TemporaryCredentials: Sendable {
    enum Stage: Sendable, Equatable {
        case undecided
        case approved(ProviderUser, verifier: Secret?)
        case denied
        case used
    }

    let credentials: TokenCredentials
    let consumerKey: String
    /// An absolute URI or `oob`; nil where OAuth 1.0 leaves it to the authorization address.
    let callback: String?
    let expiresAt: UInt64
    var stage = Stage.undecided
}
