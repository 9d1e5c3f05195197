import NIOCore

/// The queue of what waits for a turn, of several clients: the clients take turns, and of each the first that came is
/// first.
struct FairQueue<Element> {
    private var lines: [ObjectIdentifier: CircularBuffer<Element>] = [:]
    /// The clients that have an element waiting, the next one first.
    private var turns: CircularBuffer<ObjectIdentifier> = []

    var isEmpty: Bool { turns.isEmpty }
    var count: Int { lines.values.reduce(0) { $0 + $1.count } }

    var first: Element? { turns.first.flatMap { lines[$0]?.first } }

    /// The first of each client, in the order of their turns.
    var firstOfEach: some Sequence<Element> { turns.lazy.compactMap { lines[$0]?.first } }

    mutating func append(_ element: Element, of client: ClientUsage) {
        let id = ObjectIdentifier(client)
        if lines[id] == nil { turns.append(id) }
        lines[id, default: []].append(element)
    }

    mutating func popFirst() -> Element? {
        guard let id = turns.popFirst(), let element = lines[id]?.popFirst() else { return nil }
        if lines[id]?.isEmpty == true { lines[id] = nil } else { turns.append(id) }
        return element
    }

    /// The first of one client, which has had its turn with that.
    mutating func popFirst(of client: ClientUsage) -> Element? {
        let id = ObjectIdentifier(client)
        guard turns.first != id else { return popFirst() }
        guard let element = lines[id]?.popFirst() else { return nil }
        turns.removeAll { $0 == id }
        if lines[id]?.isEmpty == true { lines[id] = nil } else { turns.append(id) }
        return element
    }

    /// All of one client.
    mutating func takeAll(of client: ClientUsage) -> CircularBuffer<Element> {
        let id = ObjectIdentifier(client)
        turns.removeAll { $0 == id }
        return lines.removeValue(forKey: id) ?? []
    }

    /// All of them, in the order of their turns.
    mutating func takeAll() -> [Element] {
        var all: [Element] = []
        while let next = popFirst() { all.append(next) }
        return all
    }

    /// All that a condition holds for, in the order in which they came for each client.
    mutating func takeAll(where isTaken: (Element) -> Bool) -> [Element] {
        var taken: [Element] = []
        for id in turns {
            taken += lines[id]?.filter(isTaken) ?? []
            lines[id]?.removeAll(where: isTaken)
            if lines[id]?.isEmpty == true { lines[id] = nil }
        }
        turns.removeAll { lines[$0] == nil }
        return taken
    }
}
