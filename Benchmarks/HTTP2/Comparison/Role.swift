/// The side of a connection that is measured.
enum Role: CaseIterable {
    /// Towards clients.
    case server
    /// Towards upstream servers.
    case client
}
