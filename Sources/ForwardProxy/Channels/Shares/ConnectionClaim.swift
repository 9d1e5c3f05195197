/// One upstream connection, as it is counted for the client that uses it.
///
/// One that several share, as HTTP/2 has it, is counted for one of them.
final class ConnectionClaim {
    /// Nil when it is released.
    private(set) var usage: ClientUsage?
    private let isTunnel: Bool
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
        usage.upstreamConnections.end()
        self.usage = next
        return true
    }

    /// Has a connection counted for a client that goes on using it, whatever that one may have, when the other one has
    /// left it.
    func moveAnyway(to next: ClientUsage) {
        guard let usage, usage !== next else { return }
        usage.connections.giveBack(1)
        usage.upstreamConnections.end()
        next.connections.takeAnyway(1)
        _ = next.upstreamConnections.begin()
        self.usage = next
    }

    /// The connection is gone, or about to be. Once is enough.
    func release() {
        guard let usage else { return }
        self.usage = nil
        usage.connections.giveBack(1)
        (isTunnel ? usage.tunnels : usage.upstreamConnections).end()
    }
}

@available(*, unavailable)
extension ConnectionClaim: Sendable {}
