import Routing

/// A log-in that is to be checked, and where it comes from.
struct LoginAttempt: Hashable, Sendable {
    /// An address, and a name that was given there.
    struct Pair: Hashable, Sendable {
        var peer: PeerAddress
        var name: String
    }

    let peer: PeerAddress
    let login: ClaimedLogin

    var name: String { login.name }

    var pair: Pair { Pair(peer: peer, name: name) }
}
