import OAuthSigning

/// What a request gets its Authorization field from.
enum RequestAuthorizer {
    /// A signature, new for each request.
    case signer(Signer)
    /// The same value each time.
    case field([UInt8])
}
