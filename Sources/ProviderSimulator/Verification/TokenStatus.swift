/// The status of a token that the provider has given out.
enum TokenStatus: Sendable, Equatable {
    case active
    case expired
    case revoked
    /// The token is good for one use, which it has had.
    case used
}
