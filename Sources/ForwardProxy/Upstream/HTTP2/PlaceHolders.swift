/// The clients that have places on a connection, the first of which came first.
struct PlaceHolders {
    private struct Holder {
        let client: ClientUsage
        var places = 0
        /// The number of places whose requests have bodies.
        var bodies = 0
        /// Indicates whether the connection counts among those that are in use for the client's requests.
        var isCounted = false
    }

    private var holders: [Holder] = []
    /// The number of connections that may be in use for one client's requests; nil: they are not counted.
    var limit: Int?

    var isEmpty: Bool { holders.isEmpty }

    var clients: [ClientUsage] { holders.map(\.client) }

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

    mutating func add(_ client: ClientUsage, sendsBody: Bool) {
        let index = holders.firstIndex { $0.client === client } ?? holders.endIndex
        if index == holders.endIndex { holders.append(Holder(client: client)) }
        holders[index].places += 1
        if sendsBody { holders[index].bodies += 1 }
        guard let limit, !holders[index].isCounted else { return }
        holders[index].isCounted = client.upstreamConnections.begin(limit: limit)
    }

    /// - Returns: Whether that was the last place of the client.
    mutating func remove(_ client: ClientUsage, sendsBody: Bool) -> Bool {
        guard let index = holders.firstIndex(where: { $0.client === client }) else { return false }
        holders[index].places -= 1
        if sendsBody { holders[index].bodies -= 1 }
        guard holders[index].places == 0 else { return false }
        if holders.remove(at: index).isCounted { client.upstreamConnections.end() }
        return true
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
        for client in clients { _ = uncount(client) }
        limit = nil
    }
}
