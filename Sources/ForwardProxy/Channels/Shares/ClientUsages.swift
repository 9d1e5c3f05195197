import Logging
import NIOCore
import Settings
import Synchronization

/// The use that each client makes of what all share: open connections, and memory for requests that are held.
final class ClientUsages: Sendable {
    /// A weak reference: what belongs to a client that is gone is not kept.
    private struct Entry {
        weak var usage: ClientUsage?
    }

    private struct State {
        var entries: [ClientKey: Entry] = [:]
        /// Entries at which those of nobody are looked for.
        var sweepAt = 64
        var told: [String: NIODeadline] = [:]
        var memoryWanted: (@Sendable (_ holder: ClientUsage, _ most: Int) -> Void)?
        var memoryWantedAt: NIODeadline?
    }

    /// The time for which nothing more is said of a budget that is used up.
    private static let pause = TimeAmount.minutes(1)
    /// The time for which nobody is asked again to give memory back.
    private static let pauseBetweenSearches = TimeAmount.milliseconds(20)
    /// The number of clients that are named then.
    private static let namedClients = 3

    private let connections = SharedBudget()
    private let places = SharedBudget()
    private let surplus = SharedBudget()
    private let memory: SharedBudget
    /// The usage of the proxy itself: exchanges of tokens.
    let own: ClientUsage
    /// The usage of heads of which it is not known yet whose they are, where clients are listed.
    let unnamed: ClientUsage
    private let state = Mutex(State())
    private let clock: any ProxyClock
    private let logger: Logger

    /// - Parameter memoryAbated: Called when requests that were held took much memory, and take little now.
    init(clock: any ProxyClock, logger: Logger, memoryAbated: @escaping @Sendable () -> Void = {}) {
        memory = SharedBudget(largestPart: 4, abated: memoryAbated)
        self.clock = clock
        self.logger = logger
        own = ClientUsage(
            name: "the proxy itself",
            connections: connections,
            places: places,
            surplus: surplus,
            memory: memory
        )
        unnamed = ClientUsage(
            name: "whoever has not logged in yet",
            connections: connections,
            places: places,
            surplus: surplus,
            memory: memory
        )
    }

    /// - Parameter memoryWanted: To be called when somebody who holds more memory than others leave room for is to give
    ///   some back, with how much may be kept.
    func onMemoryWanted(_ memoryWanted: @escaping @Sendable (_ holder: ClientUsage, _ most: Int) -> Void) {
        state.withLock { $0.memoryWanted = memoryWanted }
    }

    func apply(_ limits: ProxyLimits) {
        connections.resize(to: limits.openConnections)
        // One more than there are: of a few, whoever is alone may have all.
        places.resize(to: limits.connections + 1)
        surplus.resize(to: ConnectionCounter.surplus(beyond: limits.connections))
        memory.resize(to: limits.collected)
    }

    /// The connections of clients and upstream ones that are open, and how many may be.
    var openConnections: (used: Int, capacity: Int) { (connections.used, connections.capacity) }

    /// The bytes of requests that are held, and how many may be.
    var heldMemory: (used: Int, capacity: Int) { (memory.used, memory.capacity) }

    /// Returns what is to be kept for as long as anything of the client's may be counted.
    func usage(of key: ClientKey) -> ClientUsage {
        state.withLock { state in
            if let usage = state.entries[key]?.usage { return usage }
            if state.entries.count >= state.sweepAt {
                state.entries = state.entries.filter { $0.value.usage != nil }
                state.sweepAt = max(64, state.entries.count * 2)
            }
            let usage =
                switch key {
                case .client(let name): make(clientName: name, name: name)
                case .peer(let address): make(clientName: nil, name: "\(address)")
                }
            state.entries[key] = Entry(usage: usage)
            return usage
        }
    }

    private func make(clientName: String?, name: String) -> ClientUsage {
        ClientUsage(
            clientName: clientName,
            name: name,
            connections: connections,
            places: places,
            surplus: surplus,
            memory: memory
        )
    }

    var sharedUse: SharedUse {
        SharedUse(
            // There is one place more than clients may have.
            clientConnections: SharedUse.Amount(used: places.used, limit: places.capacity - 1),
            openConnections: Self.amount(of: connections),
            heldBytes: Self.amount(of: memory)
        )
    }

    private static func amount(of budget: SharedBudget) -> SharedUse.Amount {
        let capacity = budget.capacity
        return SharedUse.Amount(used: budget.used, limit: capacity < SharedBudget.unlimited ? capacity : nil)
    }

    // MARK: Refusals

    /// Returns the answer for a client that may have no more connections, with a line in the log from time to time.
    func connectionsRefused(to client: ClientUsage) -> Problem {
        let (capacity, used) = (connections.capacity, connections.used)
        report("open connections are used up: newcomers are answered with 503", used, capacity, \.connections)
        return .openConnectionsUsedUp(of: client.name, held: client.connections.held, used: used, capacity: capacity)
    }

    /// The same where there are as many as `limits.connections` allows, or as many from one address as leave others
    /// some.
    private func placesRefused(limit: Int) -> Problem {
        let used = places.used
        // Where all have ended meanwhile it would name nobody, and nobody else for a minute.
        if used > 0 { report("limits.connections is used up: newcomers are answered with 503", used, limit, \.places) }
        return .tooManyConnections
    }

    /// The same for one that there is no room for even to wait for its request.
    func turnedAway(limit: Int) -> Problem {
        let sentence = "limits.connections is used up, and many wait to be told so: newcomers are turned away unheard"
        let used = places.used
        if used > 0 { report(sentence, used, limit, \.places) }
        return .tooManyConnections
    }

    func refused(_ shortage: Shortage, to client: ClientUsage, limit: Int) -> Problem {
        switch shortage {
        case .places: placesRefused(limit: limit)
        case .share: connectionsRefused(to: client)
        }
    }

    /// The same for memory to hold a request in. Where another client holds more than a quarter of it, and the refused
    /// one would not, that one has to give some back, for the next request.
    ///
    /// - Parameter more: The bytes that were asked for; nil: what the client has is taken from it.
    func memoryRefused(to client: ClientUsage, asking more: Int?) -> Problem {
        let (capacity, used) = (memory.capacity, memory.used)
        if let more { reclaimMemory(for: client, asking: more, most: capacity / 4) }
        report("limits.collected is used up: requests to be held are answered with 503", used, capacity, \.memory)
        return .memoryUsedUp(of: client.name, held: client.memory.held, used: used, capacity: capacity)
    }

    private func reclaimMemory(for client: ClientUsage, asking more: Int, most: Int) {
        // Beyond that it is its own share that is used up, and others would give back what does it no good.
        let isWithinShare = client.memory.held + more <= most
        guard isWithinShare || client === unnamed else { return }
        let wanted = state.withLock { state -> (tell: (ClientUsage, Int) -> Void, holder: ClientUsage)? in
            guard let tell = state.memoryWanted else { return nil }
            if let last = state.memoryWantedAt, clock.now - last < Self.pauseBetweenSearches { return nil }
            // Those who have not logged in have one share for all: newcomers among them get what others hold.
            guard isWithinShare else {
                state.memoryWantedAt = clock.now
                return (tell, unnamed)
            }
            let holders = state.entries.values.compactMap(\.usage) + [unnamed]
            guard let largest = holders.max(by: { $0.memory.held < $1.memory.held }), largest.memory.held > most else {
                return nil
            }
            state.memoryWantedAt = clock.now
            return (tell, largest)
        }
        if let wanted { wanted.tell(wanted.holder, isWithinShare ? most : most / 2) }
    }

    /// The system has no file for another connection.
    func acceptingRests(for error: any Error) {
        let (capacity, used) = (connections.capacity, connections.used)
        report("no further connection could be accepted: \(error)", used, capacity, \.connections)
    }

    private func report(
        _ sentence: String,
        _ used: Int,
        _ capacity: Int,
        _ share: KeyPath<ClientUsage, SharedBudget.Share>
    ) {
        let now = clock.now
        let largest = state.withLock { state -> [ClientUsage]? in
            if let last = state.told[sentence], now - last < Self.pause { return nil }
            state.told[sentence] = now
            let all = state.entries.values.compactMap(\.usage) + [own, unnamed]
            return Array(all.sorted { $0[keyPath: share].held > $1[keyPath: share].held }.prefix(Self.namedClients))
        }
        guard let largest else { return }
        let holders = largest.filter { $0[keyPath: share].held > 0 }
            .map { "\($0.name): \($0[keyPath: share].held)" }
            .joined(separator: ", ")
        logger.warning(
            "\(sentence)",
            metadata: ["used": .stringConvertible(used), "of": .stringConvertible(capacity), "by": "\(holders)"]
        )
    }
}
