/// Whether a token that the provider has given out is still good.
enum TokenStatus: Sendable, Equatable {
    case active
    case expired
    case revoked
    /// Good for one use, which it has had.
    case used
}
