import NIOCore

/// What a request waits for before it is served, and nobody else does.
enum AwaitedStep {
    /// Its log-in's turn to be checked.
    case turn(Scheduled<Void>)
    /// The other end of a tunnel.
    case tunnel(ClientDial)

    func giveUp() {
        switch self {
        case .turn(let turn): turn.cancel()
        case .tunnel(let dial): dial.giveUp()
        }
    }
}
