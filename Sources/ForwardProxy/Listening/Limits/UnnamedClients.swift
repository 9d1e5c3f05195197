import NIOCore

/// The connections of one event loop of which it is not known yet whose they are, where clients are listed, and those
/// that were one too many: the oldest of an address end for its newcomers, so that whoever says nothing keeps nobody
/// out.
struct UnnamedClients {
    /// The number of connections that are looked at for one newcomer.
    private static let mostLookedAt = 8

    private var lines: [PeerAddress: CircularBuffer<ObjectIdentifier>] = [:]
    /// Addresses at which those are looked for that nothing is left of.
    private var sweepAt = 64

    /// Adds a connection as it begins.
    ///
    /// - Parameter isOver: Whether a connection is gone, or is served and has a name.
    mutating func append(_ client: ObjectIdentifier, of peer: PeerAddress, isOver: (ObjectIdentifier) -> Bool) {
        var line = lines.removeValue(forKey: peer) ?? []
        while let first = line.first, isOver(first) { line.removeFirst() }
        line.append(client)
        lines[peer] = line
        guard lines.count >= sweepAt else { return }
        lines = lines.filter { !$0.value.allSatisfy(isOver) }
        sweepAt = max(64, lines.count * 2)
    }

    /// The one of an address that is to end; it is no longer among them.
    ///
    /// - Parameter mayEnd: Nil: it is over.
    mutating func takeOldest(of peer: PeerAddress, mayEnd: (ObjectIdentifier) -> Bool?) -> ObjectIdentifier? {
        guard var line = lines.removeValue(forKey: peer) else { return nil }
        defer { if !line.isEmpty { lines[peer] = line } }
        for _ in 0..<min(Self.mostLookedAt, line.count) {
            let oldest = line.removeFirst()
            switch mayEnd(oldest) {
            case true?: return oldest
            case false?: line.append(oldest)
            case nil: break
            }
        }
        return nil
    }
}
