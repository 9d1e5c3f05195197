import Credentials
import OAuthSigning

/// The credentials that a request goes on with.
struct OutgoingCredentials {
    /// The signature; nil where the request goes on as it came.
    let signed: SignedRequest?
    /// The field that the authorization goes into; nil: Authorization.
    let field: TokenField?
    /// Indicates whether the client's own credentials go on.
    let keepsOwn: Bool
}
