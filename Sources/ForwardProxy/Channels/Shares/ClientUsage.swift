/// The use that one client makes of what all share, over all event loops and however often the configuration is read
/// again.
final class ClientUsage: Sendable {
    /// The name of a configured client; nil: an address stands for it.
    let clientName: String?
    /// That name, or the address that the client is at.
    let name: String
    let requests = InFlightCounter()
    let tunnels = InFlightCounter()
    let upstreamConnections = InFlightCounter()
    /// Connections from the client, and those upstream that its requests and tunnels use.
    let connections: SharedBudget.Share
    /// The client's share of the connections from clients (`limits.connections`).
    let places: SharedBudget.Share
    /// Connections over the limit, whose requests are answered with 503.
    let surplus: SharedBudget.Share
    /// Bytes that its requests are held in (`limits.collected`).
    let memory: SharedBudget.Share

    init(
        clientName: String? = nil,
        name: String,
        connections: SharedBudget,
        places: SharedBudget,
        surplus: SharedBudget,
        memory: SharedBudget
    ) {
        self.clientName = clientName
        self.name = name
        self.connections = SharedBudget.Share(of: connections)
        self.places = SharedBudget.Share(of: places)
        self.surplus = SharedBudget.Share(of: surplus)
        self.memory = SharedBudget.Share(of: memory)
    }
}

// MARK: - Connections from the client

extension ClientUsage {
    /// Counts one more.
    ///
    /// - Returns: Why the client may have no more, and nothing is counted; nil: it is.
    func takeConnection() -> Shortage? {
        guard connections.take(1) else { return .share }
        guard places.take(1) else {
            connections.giveBack(1)
            return .places
        }
        return nil
    }

    /// Counts one more, if one of the client's connections upstream ends for it.
    ///
    /// - Parameter end: Ends one; false: there is none.
    func replaceConnection(_ end: () -> Bool) -> Bool {
        guard places.take(1) else { return false }
        guard end() else {
            places.giveBack(1)
            return false
        }
        connections.takeAnyway(1)
        return true
    }

    /// Returns whether the client might have one more if so many of others were not there.
    @Sendable func mayTakeConnection(without others: Int) -> Bool {
        connections.permits(1, without: others) && places.permits(1, without: others)
    }

    /// Counts one more, which takes another one's place.
    func takeConnectionAnyway() {
        connections.takeAnyway(1)
        places.takeAnyway(1)
    }

    func giveBackConnection() {
        connections.giveBack(1)
        places.giveBack(1)
    }
}

/// The party that something is counted for.
enum ClientKey: Hashable, Sendable {
    /// A client that is listed, by its name.
    case client(String)
    /// Everybody at an address, where no clients are listed, or as long as it is not known who it is.
    case peer(PeerAddress)
}

/// The reason why a connection is one too many.
enum Shortage {
    /// The clients hold as many as `limits.connections` allows, or the address has its share of these.
    case places
    /// Its address has its share of all that are open, those upstream included.
    case share
}
