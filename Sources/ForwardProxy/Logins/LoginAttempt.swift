import Routing

/// A log-in that is to be checked, and where it comes from.
struct LoginAttempt: Hashable, Sendable {
    let peer: PeerAddress
    let login: ClaimedLogin

    var name: String { login.name }
}
