/// The clients that have places on a connection, the first of which came first.
struct PlaceHolders {
    private struct Holder {
        let client: ClientUsage
        var places = 0
        /// The number of places whose requests have bodies.
        var bodies = 0
    }

    private var holders: [Holder] = []

    var isEmpty: Bool { holders.isEmpty }

    var clients: [ClientUsage] { holders.map(\.client) }

    /// Returns whether a client's requests with bodies are among those that have places.
    func sendsBodies(_ client: ClientUsage) -> Bool { holders.contains { $0.client === client && $0.bodies > 0 } }

    mutating func add(_ client: ClientUsage, sendsBody: Bool) {
        let index = holders.firstIndex { $0.client === client } ?? holders.endIndex
        if index == holders.endIndex { holders.append(Holder(client: client)) }
        holders[index].places += 1
        if sendsBody { holders[index].bodies += 1 }
    }

    /// - Returns: Whether that was the last place of the client.
    mutating func remove(_ client: ClientUsage, sendsBody: Bool) -> Bool {
        guard let index = holders.firstIndex(where: { $0.client === client }) else { return false }
        holders[index].places -= 1
        if sendsBody { holders[index].bodies -= 1 }
        guard holders[index].places == 0 else { return false }
        holders.remove(at: index)
        return true
    }
}
