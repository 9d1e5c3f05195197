import Testing

@testable import ForwardProxy

@Suite("The clients' connections of an event loop")
struct ClientSetTests {
    private func connection() -> StillConnection {
        let budget = SharedBudget()
        return StillConnection(
            of: ClientUsage(name: "one", connections: budget, places: budget, surplus: budget, memory: budget)
        )
    }

    @Test("are there once each, and are found by their identity until they are removed")
    func finds() {
        let (one, other) = (connection(), connection())
        var clients = ClientSet()
        for connection in [one, other, one] { clients.insert(connection) }
        let all = clients.map { ObjectIdentifier($0) }
        #expect(all.count == 2)
        #expect(Set(all) == [ObjectIdentifier(one), ObjectIdentifier(other)])
        let found = clients[ObjectIdentifier(one)] === one
        #expect(found)
        clients.remove(one)
        clients.remove(one)
        let isGone = clients[ObjectIdentifier(one)] == nil
        #expect(isGone)
        let left = clients.map { ObjectIdentifier($0) }
        #expect(left == [ObjectIdentifier(other)])
    }
}
