/// The requests in flight from the address of one connection, counted together with those of its other connections.
final class PeerRequests {
    private let peer: PeerAddress
    /// Nil as long as nobody has asked for it.
    private var counter: RequestCounter?

    init(_ peer: PeerAddress) {
        self.peer = peer
    }

    func counter(from counters: RequestCounters) -> RequestCounter {
        if let counter { return counter }
        let counter = counters.counter(of: .peer(peer))
        self.counter = counter
        return counter
    }
}

@available(*, unavailable)
extension PeerRequests: Sendable {}
