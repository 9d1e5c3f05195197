import NIOCore

/// The client whose request needs a token.
struct TokenClient: Sendable {
    let usage: ClientUsage
    /// Nil: it is not known.
    let address: SocketAddress?
}
