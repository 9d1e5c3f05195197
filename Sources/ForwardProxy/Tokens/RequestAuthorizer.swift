import OAuthSigning

/// The source of a request's Authorization field.
enum RequestAuthorizer {
    /// A signature, new for each request.
    case signer(Signer)
    /// The same value each time.
    case field([UInt8])
}
