/// The clients that have places on a connection, the first of which came first, and the one that it is counted for among
/// all connections.
struct PlaceHolders {
    private struct Holder {
        let client: ClientUsage
        var places = 0
        /// The number of places whose requests have bodies.
        var bodies = 0
        /// Indicates whether the connection counts among those that are in use for the client's requests.
        var isCounted = false
    }

    /// The claim that the connection is counted by.
    let claim: ConnectionClaim
    private var holders: [Holder] = []
    private var limit: Int?

    init(claim: ConnectionClaim) {
        self.claim = claim
    }

    /// - Parameter limit: The number of connections that may be in use for one client's requests; nil: they are not
    ///   counted.
    mutating func setLimit(_ limit: Int?) { self.limit = limit }

    /// Returns whether a client's request may be carried beside others', or instead of them: an idle connection is
    /// counted for whom it serves, as far as that one may have it. A body, which may hold the window for long, is sent on
    /// another client's connection only by who could have one of its own.
    ///
    /// - Parameters:
    ///   - client: The client of the request; nil: the proxy itself.
    ///   - canLend: Whether a client that uses as many connections as it may can have a place all the same.
    func admits(_ client: ClientUsage?, sendsBody: Bool, canLend: @autoclosure () -> Bool) -> Bool {
        guard let client else { return true }
        guard mayCount(client) || !sendsBody && canLend() else { return false }
        guard claim.usage !== client else { return true }
        let isTaken = holders.isEmpty && claim.move(to: client)
        guard sendsBody, !isTaken else { return true }
        return !holders.isEmpty && client.connections.permits(1, without: 0)
    }

    /// Returns whether a client has more than half of the places that are taken.
    func isMostly(_ client: ClientUsage) -> Bool {
        let own = holders.first { $0.client === client }?.places ?? 0
        return 2 * own > holders.reduce(0) { $0 + $1.places }
    }

    /// Returns whether a client's requests with bodies are among those that have places.
    func sendsBodies(_ client: ClientUsage) -> Bool { holders.contains { $0.client === client && $0.bodies > 0 } }

    /// Returns whether the connection is one of so many as a client may use, or may become one.
    func mayCount(_ client: ClientUsage) -> Bool {
        guard let limit else { return true }
        return isCounted(client) || !client.upstreamConnections.isAt(limit)
    }

    func isCounted(_ client: ClientUsage) -> Bool { holders.contains { $0.client === client && $0.isCounted } }

    /// - Parameter client: The client of the request; nil: the proxy itself, which is not counted.
    mutating func add(_ client: ClientUsage?, sendsBody: Bool) {
        guard let client else { return }
        let index = holders.firstIndex { $0.client === client } ?? holders.endIndex
        if index == holders.endIndex { holders.append(Holder(client: client)) }
        holders[index].places += 1
        if sendsBody { holders[index].bodies += 1 }
        guard let limit, !holders[index].isCounted else { return }
        holders[index].isCounted = client.upstreamConnections.begin(limit: limit)
    }

    /// A connection stays counted for nobody who has left it to others: it is another one's, of those that it serves who
    /// may have one more, if any may.
    ///
    /// - Parameter client: The client of the request; nil: the proxy itself, which is not counted.
    mutating func remove(_ client: ClientUsage?, sendsBody: Bool) {
        guard let client, let index = holders.firstIndex(where: { $0.client === client }) else { return }
        holders[index].places -= 1
        if sendsBody { holders[index].bodies -= 1 }
        guard holders[index].places == 0 else { return }
        if holders.remove(at: index).isCounted { client.upstreamConnections.end() }
        guard claim.usage === client, !holders.contains(where: { claim.move(to: $0.client) }) else { return }
        if let next = holders.first { claim.moveAnyway(to: next.client) }
    }

    /// The connection counts for a client no more, though it carries on with its requests.
    ///
    /// - Returns: False where it has not counted.
    mutating func uncount(_ client: ClientUsage) -> Bool {
        guard let index = holders.firstIndex(where: { $0.client === client && $0.isCounted }) else { return false }
        holders[index].isCounted = false
        client.upstreamConnections.end()
        return true
    }

    /// The connection takes no further requests, and counts for nobody any more.
    mutating func uncountAll() {
        for holder in holders { _ = uncount(holder.client) }
        limit = nil
    }
}
