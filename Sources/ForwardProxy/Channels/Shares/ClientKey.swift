/// The party that something is counted for.
enum ClientKey: Hashable, Sendable {
    /// A client that is listed, by its name.
    case client(String)
    /// Whoever comes from an address, where no clients are listed, or as long as it is not known who it is.
    case peer(PeerAddress)
}
