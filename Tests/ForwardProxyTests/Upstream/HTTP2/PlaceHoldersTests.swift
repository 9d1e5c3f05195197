import Testing

@testable import ForwardProxy

@Suite("Those who have places on a connection")
struct PlaceHoldersTests {
    private let clients = (0..<3).map { ClientUsage.unlimited("\($0)") }

    /// Those who have places on a connection that is counted for a client.
    private func holders(of client: ClientUsage) throws -> PlaceHolders {
        PlaceHolders(claim: try #require(ConnectionClaim.upstream(for: client, limit: nil)))
    }

    private func counts() -> [Bool] { clients.map { $0.upstreamConnections.isAt(1) } }

    @Test("count it, each among so many as one may use, until their last place is given back")
    func counting() throws {
        var holders = try holders(of: clients[0])
        holders.setLimit(1)
        #expect(clients[1].upstreamConnections.begin())
        for client in clients { holders.add(client, sendsBody: false) }
        holders.add(clients[0], sendsBody: true)
        #expect(clients.map(holders.isCounted) == [true, false, true])
        #expect(clients.map(holders.mayCount) == [true, false, true])
        #expect(counts() == [true, true, true])
        holders.remove(clients[0], sendsBody: false)
        #expect(counts() == [true, true, true])
        holders.remove(clients[0], sendsBody: true)
        #expect(counts() == [false, true, true])
        clients[1].upstreamConnections.end()
        holders.add(clients[1], sendsBody: false)
        #expect(holders.isCounted(clients[1]))
        holders.uncountAll()
        #expect(counts() == [false, false, false])
        holders.remove(clients[2], sendsBody: false)
        #expect(!clients[2].upstreamConnections.isAt(1))
    }

    @Test("have most of it or not")
    func most() throws {
        var holders = try holders(of: clients[0])
        for _ in 0..<2 { holders.add(clients[0], sendsBody: false) }
        #expect(holders.isMostly(clients[0]) && !holders.isMostly(clients[1]))
        for _ in 0..<2 { holders.add(clients[1], sendsBody: false) }
        #expect(!holders.isMostly(clients[0]) && !holders.isMostly(clients[1]))
    }

    @Test("are not counted where nothing is limited")
    func unlimited() throws {
        var holders = try holders(of: clients[0])
        holders.add(clients[0], sendsBody: false)
        #expect(!holders.isCounted(clients[0]) && counts() == [false, false, false])
    }

    @Test("have it counted for one of them: for another when that one has left it, and for the last one on")
    func leaving() throws {
        var holders = try holders(of: clients[0])
        for client in clients[0...1] { holders.add(client, sendsBody: false) }
        holders.add(nil, sendsBody: false)
        holders.remove(nil, sendsBody: false)
        #expect(holders.claim.usage === clients[0])
        holders.remove(clients[0], sendsBody: false)
        #expect(holders.claim.usage === clients[1])
        #expect(clients.map(\.connections.held) == [0, 1, 0])
        holders.remove(clients[1], sendsBody: false)
        #expect(holders.claim.usage === clients[1])
    }

    @Test("admit the proxy itself, and whoever may count it, or is lent a place for a request without a body")
    func admission() throws {
        var holders = try holders(of: clients[0])
        holders.setLimit(1)
        holders.add(clients[0], sendsBody: false)
        #expect(clients[1].upstreamConnections.begin())
        let answers = [
            holders.admits(nil, sendsBody: true, canLend: false),
            holders.admits(clients[0], sendsBody: true, canLend: false),
            holders.admits(clients[1], sendsBody: false, canLend: false),
            holders.admits(clients[1], sendsBody: false, canLend: true),
            holders.admits(clients[1], sendsBody: true, canLend: true),
            holders.admits(clients[2], sendsBody: true, canLend: false),
        ]
        #expect(answers == [true, true, false, true, false, true])
        #expect(holders.claim.usage === clients[0])
    }

    @Test("are none where it is idle: it is counted for whom it admits")
    func idle() throws {
        let holders = try holders(of: clients[0])
        let isAdmitted = holders.admits(clients[1], sendsBody: true, canLend: false)
        #expect(isAdmitted && holders.claim.usage === clients[1])
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
