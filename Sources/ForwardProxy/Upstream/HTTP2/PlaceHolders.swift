/// The clients that have places on a connection, each with the number of them, the first of which came first.
struct PlaceHolders {
    private var holders: [(client: ClientUsage, places: Int)] = []

    var isEmpty: Bool { holders.isEmpty }

    var first: ClientUsage? { holders.first?.client }

    func contains(_ client: ClientUsage) -> Bool { holders.contains { $0.client === client } }

    mutating func add(_ client: ClientUsage) {
        if let index = holders.firstIndex(where: { $0.client === client }) {
            holders[index].places += 1
        } else {
            holders.append((client, 1))
        }
    }

    /// - Returns: Whether that was the last place of the client.
    mutating func remove(_ client: ClientUsage) -> Bool {
        guard let index = holders.firstIndex(where: { $0.client === client }) else { return false }
        holders[index].places -= 1
        guard holders[index].places == 0 else { return false }
        holders.remove(at: index)
        return true
    }
}
