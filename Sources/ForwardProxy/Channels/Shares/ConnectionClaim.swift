/// One upstream connection, as it is counted for the client that uses it.
///
/// Among all open connections it counts for one client, though several may share it, as HTTP/2 has it. Among those that
/// one client may use, it counts for whom it is made for, and by HTTP/1.1 for whose request it carries; by HTTP/2
/// ``PlaceHolders`` count it for each of those whose requests it carries. An idle one is nobody's.
final class ConnectionClaim {
    /// The use of the client that it counts for; nil once it is released.
    private(set) var usage: ClientUsage?
    /// The counter of those that its client uses: tunnels, or upstream connections where these are limited.
    private var counter: InFlightCounter?
    private static let leastOwn = 32

    private init(usage: ClientUsage, countedBy counter: InFlightCounter?) {
        self.usage = usage
        self.counter = counter
    }

    /// One more connection for a client's request.
    ///
    /// - Parameters:
    ///   - limit: The number of those that may be in use for its requests; nil: only what all share bounds them.
    ///   - replacesAnother: Whether another of the client's connections is about to end for it.
    /// - Returns: Nil when the client may have no more.
    static func upstream(for usage: ClientUsage, limit: Int?, replacesAnother: Bool = false) -> ConnectionClaim? {
        make(usage, limit.map { (usage.upstreamConnections, $0) }, replacesAnother)
    }

    /// The same for a tunnel.
    static func tunnel(for usage: ClientUsage, limit: Int?, replacesAnother: Bool = false) -> ConnectionClaim? {
        make(usage, (usage.tunnels, limit ?? .max), replacesAnother)
    }

    /// A connection that the proxy needs for itself: a few it has whatever is in use.
    static func own(_ usage: ClientUsage) -> ConnectionClaim? {
        if !usage.connections.take(1) {
            guard usage.connections.held < leastOwn else { return nil }
            usage.connections.takeAnyway(1)
        }
        return ConnectionClaim(usage: usage, countedBy: nil)
    }

    private static func make(
        _ usage: ClientUsage,
        _ use: (counter: InFlightCounter, limit: Int)?,
        _ replacesAnother: Bool
    ) -> ConnectionClaim? {
        if let use, !use.counter.begin(limit: use.limit) { return nil }
        if replacesAnother {
            usage.connections.takeAnyway(1)
        } else if !usage.connections.take(1) {
            use?.counter.end()
            return nil
        }
        return ConnectionClaim(usage: usage, countedBy: use?.counter)
    }

    /// A client's request is about to be sent on the connection, by HTTP/1.1.
    ///
    /// - Parameter limit: The number that may be in use for the client's requests; nil: connections are not counted.
    /// - Returns: False, and nothing has changed, when there may be no more.
    func beginUse(by client: ClientUsage, limit: Int?) -> Bool {
        guard let limit, usage != nil else { return true }
        guard client.upstreamConnections.begin(limit: limit) else { return false }
        endUse()
        counter = client.upstreamConnections
        return true
    }

    /// The connection is idle, or carries the requests of several from now on. Once is enough.
    func endUse() {
        counter?.end()
        counter = nil
    }

    /// Counts an idle connection for another client, which is to use it.
    ///
    /// - Returns: False, and nothing has changed, when that one may have no more.
    func move(to next: ClientUsage) -> Bool {
        guard let usage, usage !== next else { return true }
        // Given back first: where all of them are in use, this one is.
        usage.connections.giveBack(1)
        guard next.connections.take(1) else {
            usage.connections.takeAnyway(1)
            return false
        }
        self.usage = next
        return true
    }

    /// Counts a connection for a client that goes on using it, when the other one has left it.
    func moveAnyway(to next: ClientUsage) {
        guard let usage, usage !== next else { return }
        usage.connections.giveBack(1)
        next.connections.takeAnyway(1)
        self.usage = next
    }

    /// Counts a new connection for the client whose request is the first on it, whomever it was made for.
    func pass(to client: ClientUsage) {
        endUse()
        moveAnyway(to: client)
    }

    /// The connection is gone, or about to be. Once is enough.
    func release() {
        guard let usage else { return }
        self.usage = nil
        usage.connections.giveBack(1)
        endUse()
    }
}

@available(*, unavailable)
extension ConnectionClaim: Sendable {}
