import NIOCore

/// The client whose request needs a token.
struct TokenClient: Sendable {
    let usage: ClientUsage
    /// The address of the client; nil when it is not known.
    let address: SocketAddress?
}
