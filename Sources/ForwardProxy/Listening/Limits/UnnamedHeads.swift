import NIOCore

/// The connections of one event loop that hold a large head which is not whole yet, and of which it is not known whose
/// they are, where clients are listed. The oldest end for newcomers: whoever never ends a head keeps nobody out.
struct UnnamedHeads {
    private struct Head {
        let peer: PeerAddress
        let number: Int
    }

    private var heads: [ObjectIdentifier: Head] = [:]
    private var begun = 0

    /// Adds a client; no change for one that is among them.
    ///
    /// - Parameter peer: Asked for only where it is needed.
    mutating func insert(_ client: ObjectIdentifier, peer: () -> PeerAddress) {
        guard heads[client] == nil else { return }
        begun += 1
        heads[client] = Head(peer: peer(), number: begun)
    }

    mutating func remove(_ client: ObjectIdentifier) {
        heads[client] = nil
    }

    /// The one that is to end for another one, and is no longer among them: the oldest of the same address, if there is
    /// one, so that an address which sends many of them takes from others last.
    mutating func takeOldest(for newcomer: ObjectIdentifier, at peer: PeerAddress) -> ObjectIdentifier? {
        let others = heads.lazy.filter { $0.key != newcomer }
        let oldest = others.min { one, other in
            let (first, second) = (one.value, other.value)
            if (first.peer == peer) != (second.peer == peer) { return first.peer == peer }
            return first.number < second.number
        }
        if let oldest { heads[oldest.key] = nil }
        return oldest?.key
    }
}
