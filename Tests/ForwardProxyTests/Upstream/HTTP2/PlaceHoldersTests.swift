import Testing

@testable import ForwardProxy

@Suite("Those who have places on a connection")
struct PlaceHoldersTests {
    private let clients = (0..<3).map { ClientUsage.unlimited("\($0)") }

    private func counts() -> [Bool] { clients.map { $0.upstreamConnections.isAt(1) } }

    @Test("count it, each among so many as one may use, until their last place is given back")
    func counting() {
        var holders = PlaceHolders()
        holders.limit = 1
        #expect(clients[1].upstreamConnections.begin())
        for client in clients { holders.add(client, sendsBody: false) }
        holders.add(clients[0], sendsBody: true)
        #expect(clients.map(holders.isCounted) == [true, false, true])
        #expect(clients.map(holders.mayCount) == [true, false, true])
        #expect(counts() == [true, true, true])
        let wasLast = holders.remove(clients[0], sendsBody: false)
        #expect(!wasLast && counts() == [true, true, true])
        let isLast = holders.remove(clients[0], sendsBody: true)
        #expect(isLast && counts() == [false, true, true])
        clients[1].upstreamConnections.end()
        holders.add(clients[1], sendsBody: false)
        #expect(holders.isCounted(clients[1]))
        holders.uncountAll()
        #expect(counts() == [false, false, false])
        _ = holders.remove(clients[2], sendsBody: false)
        #expect(!clients[2].upstreamConnections.isAt(1))
    }

    @Test("have most of it or not")
    func most() {
        var holders = PlaceHolders()
        for _ in 0..<2 { holders.add(clients[0], sendsBody: false) }
        #expect(holders.isMostly(clients[0]) && !holders.isMostly(clients[1]))
        for _ in 0..<2 { holders.add(clients[1], sendsBody: false) }
        #expect(!holders.isMostly(clients[0]) && !holders.isMostly(clients[1]))
    }

    @Test("are not counted where nothing is limited")
    func unlimited() {
        var holders = PlaceHolders()
        holders.add(clients[0], sendsBody: false)
        #expect(!holders.isCounted(clients[0]) && counts() == [false, false, false])
    }
}

extension ClientUsage {
    fileprivate static func unlimited(_ name: String) -> ClientUsage {
        ClientUsage(
            name: name,
            connections: SharedBudget(),
            places: SharedBudget(),
            surplus: SharedBudget(),
            memory: SharedBudget()
        )
    }
}
