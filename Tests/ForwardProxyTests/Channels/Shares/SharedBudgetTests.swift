import Synchronization
import Testing

@testable import ForwardProxy

@Suite("Budgets that clients share")
struct SharedBudgetTests {
    @Test("What a client may not have is not taken, and what is given back others may have")
    func gives() {
        let budget = SharedBudget()
        budget.resize(to: 18)
        let (one, other) = (SharedBudget.Share(of: budget), SharedBudget.Share(of: budget))
        #expect((0..<20).filter { _ in one.take(1) }.count == 16)
        #expect((0..<20).filter { _ in other.take(1) }.count == 1)
        #expect(one.held == 16 && other.held == 1 && budget.used == 17)
        one.giveBack(16)
        #expect(other.take(1))
        #expect(budget.used == 2)
    }

    @Test("A smaller budget takes nothing away, and grants nothing before enough has come back")
    func shrinks() {
        let budget = SharedBudget()
        budget.resize(to: 90)
        let share = SharedBudget.Share(of: budget)
        #expect(share.take(50))
        budget.resize(to: 40)
        #expect(share.held == 50 && !share.take(1))
        share.giveBack(20)
        #expect(share.take(1))
    }

    @Test("That much was in use and little is any more is told once")
    func abates() {
        let times = Mutex(0)
        let budget = SharedBudget { times.withLock { $0 += 1 } }
        budget.resize(to: 320)
        let share = SharedBudget.Share(of: budget)
        for _ in 0..<2 {
            #expect(share.take(60) && share.take(60) && share.take(20))
            share.giveBack(100)
            #expect(times.withLock { $0 } == 0)
            share.giveBack(35)
            #expect(times.withLock { $0 } == 1)
            share.giveBack(5)
            #expect(share.take(70))
            share.giveBack(70)
            #expect(times.withLock { $0 } == 1)
            times.withLock { $0 = 0 }
        }
    }

    @Test("What one thread takes and gives back never makes another believe that others hold some of it")
    func threads() async {
        let budget = SharedBudget(largestPart: 4)
        budget.resize(to: 1_000_000)
        let share = SharedBudget.Share(of: budget)
        #expect(share.take(500_000))
        let refusals = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var refusals = 0
                    for _ in 0..<100_000 {
                        if share.take(1000) { share.giveBack(1000) } else { refusals += 1 }
                    }
                    return refusals
                }
            }
            return await group.reduce(0, +)
        }
        #expect(refusals == 0)
        #expect(share.held == 500_000 && budget.used == 500_000)
    }

    @Test("What the proxy needs itself is had in any case")
    func anyway() {
        let budget = SharedBudget()
        budget.resize(to: 1)
        let share = SharedBudget.Share(of: budget)
        share.takeAnyway(3)
        #expect(budget.used == 3)
        share.giveBack(3)
        #expect(budget.used == 0)
    }

    @Test("An idle connection is counted for whoever uses it next, if that client may have it")
    func moves() throws {
        let (connections, memory) = (SharedBudget(), SharedBudget())
        connections.resize(to: 10)
        let clients = (0..<2).map {
            ClientUsage(
                name: "\($0)",
                connections: connections,
                places: SharedBudget(),
                surplus: SharedBudget(),
                memory: memory
            )
        }
        let claims = (0..<8).compactMap { _ in ConnectionClaim.upstream(for: clients[0], limit: 8) }
        #expect(claims.count == 8)
        #expect(ConnectionClaim.upstream(for: clients[0], limit: 9) == nil)
        #expect(claims[0].move(to: clients[1]))
        #expect(clients.map(\.connections.held) == [7, 1])
        clients[1].connections.takeAnyway(5)
        #expect(!claims[1].move(to: clients[1]))
        #expect(clients.map(\.connections.held) == [7, 6])
        clients[1].connections.giveBack(5)
        for claim in claims.prefix(4) {
            claim.endUse()
            claim.endUse()
        }
        #expect(clients[0].upstreamConnections.isAt(4) && !clients[0].upstreamConnections.isAt(5))
        #expect(claims[0].beginUse(by: clients[1], limit: 1) && !claims[1].beginUse(by: clients[1], limit: 1))
        for claim in claims {
            claim.release()
            claim.release()
        }
        #expect(clients.map(\.connections.held) == [0, 0] && connections.used == 0)
        #expect(clients.allSatisfy { !$0.upstreamConnections.isAt(1) })
    }
}
