/// One upstream connection, as it is counted for the client that uses it.
///
/// One that several share, as HTTP/2 has it, is counted for one of them.
final class ConnectionClaim {
    /// Nil when it is released.
    private(set) var usage: ClientUsage?
    private let isTunnel: Bool
    /// Indicates whether it is one of so many as its client may have: not of more than that.
    private var isWithinLimit = true
    private static let leastOwn = 32

    private init(usage: ClientUsage, isTunnel: Bool) {
        self.usage = usage
        self.isTunnel = isTunnel
    }

    /// One more connection for a client.
    ///
    /// - Parameters:
    ///   - limit: How many of the kind the client may have; nil: only what all share bounds them.
    ///   - replacesAnother: Whether another of the client's connections is about to end for it.
    /// - Returns: Nil when the client may have no more.
    static func upstream(for usage: ClientUsage, limit: Int?, replacesAnother: Bool = false) -> ConnectionClaim? {
        make(usage, isTunnel: false, limit: limit, replacesAnother)
    }

    /// The same for a tunnel.
    static func tunnel(for usage: ClientUsage, limit: Int?, replacesAnother: Bool = false) -> ConnectionClaim? {
        make(usage, isTunnel: true, limit: limit, replacesAnother)
    }

    /// A connection that the proxy needs for itself: a few it has whatever is in use.
    static func own(_ usage: ClientUsage) -> ConnectionClaim? {
        if !usage.connections.take(1) {
            guard usage.connections.held < leastOwn else { return nil }
            usage.connections.takeAnyway(1)
        }
        _ = usage.upstreamConnections.begin()
        return ConnectionClaim(usage: usage, isTunnel: false)
    }

    private static func make(
        _ usage: ClientUsage,
        isTunnel: Bool,
        limit: Int?,
        _ replacesAnother: Bool
    ) -> ConnectionClaim? {
        let counter = isTunnel ? usage.tunnels : usage.upstreamConnections
        guard counter.begin(limit: limit ?? .max) else { return nil }
        if replacesAnother {
            usage.connections.takeAnyway(1)
        } else if !usage.connections.take(1) {
            counter.end()
            return nil
        }
        return ConnectionClaim(usage: usage, isTunnel: isTunnel)
    }

    /// Has an idle connection counted for another client, which is to use it.
    ///
    /// - Parameter limit: How many connections upstream that client may have.
    /// - Returns: False, and nothing has changed, when it may have no more.
    func move(to next: ClientUsage, limit: Int?) -> Bool {
        guard let usage, usage !== next else { return true }
        guard next.upstreamConnections.begin(limit: limit ?? .max) else { return false }
        // Given back first: where all of them are in use, this one is.
        usage.connections.giveBack(1)
        guard next.connections.take(1) else {
            usage.connections.takeAnyway(1)
            next.upstreamConnections.end()
            return false
        }
        leave(usage)
        isWithinLimit = true
        self.usage = next
        return true
    }

    /// Has a connection counted for a client that goes on using it, when the other one has left it: among all that are
    /// open, but not among those of the client's own that are limited.
    func moveAnyway(to next: ClientUsage) {
        guard let usage, usage !== next else { return }
        usage.connections.giveBack(1)
        leave(usage)
        next.connections.takeAnyway(1)
        isWithinLimit = false
        self.usage = next
    }

    private func leave(_ usage: ClientUsage) {
        if isWithinLimit { (isTunnel ? usage.tunnels : usage.upstreamConnections).end() }
    }

    /// The connection is gone, or about to be. Once is enough.
    func release() {
        guard let usage else { return }
        self.usage = nil
        usage.connections.giveBack(1)
        leave(usage)
    }
}

@available(*, unavailable)
extension ConnectionClaim: Sendable {}
