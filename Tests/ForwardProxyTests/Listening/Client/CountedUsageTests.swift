import NIOCore
import Settings
import Testing

@testable import ForwardProxy

@Suite("The client that a connection's requests are counted for")
struct CountedUsageTests {
    private func loop(_ proxy: EmbeddedProxy) -> ProxyLoop {
        ProxyLoop(worker: proxy.worker, registry: proxy.common.sharedRegistry)
    }

    @Test("is the client of the name, or else the address, whatever the request before it was counted for")
    func follows() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        let loop = loop(proxy)
        let usages = proxy.common.usages
        let (address, one) = (usages.usage(of: .peer(EmbeddedProxy.peer)), usages.usage(of: .client("one")))
        let two = usages.usage(of: .client("two"))
        var counted = CountedUsage()
        let requests: [(name: String?, usage: ClientUsage)] = [
            (nil, address), ("one", one), ("one", one), ("two", two), (nil, address),
        ]
        for (name, expected) in requests {
            let usage = counted.usage(of: name, at: EmbeddedProxy.peer, on: loop)
            #expect(usage === expected)
        }
    }

    @Test("is kept for the next request, for which nobody is looked up")
    func keeps() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        let loop = loop(proxy)
        var counted = CountedUsage()
        var asked = 0
        func peer() -> PeerAddress {
            asked += 1
            return EmbeddedProxy.peer
        }
        for _ in 0..<3 { _ = counted.usage(of: nil, at: peer(), on: loop) }
        #expect(asked == 1)
        weak let named = counted.usage(of: "one", at: peer(), on: loop)
        let isKept = named != nil
        #expect(isKept)
        #expect(asked == 1)
        withExtendedLifetime(counted) {}
    }

    @Test("is what a refusal names where it has its share, and not where all places are used up")
    func refusals() throws {
        var setup = ProxySetup.unconnected
        setup.limits.openConnections = 10
        let proxy = try EmbeddedProxy(setup)
        let one = proxy.usage(of: "one")
        one.connections.takeAnyway(8)
        let places = proxy.worker.refusal(for: .places, of: one)
        #expect(places == .tooManyConnections)
        let share = proxy.worker.refusal(for: .share, of: one)
        #expect(share == .openConnectionsUsedUp(of: "one", held: 8, used: 8, capacity: 10))
        one.connections.giveBack(8)
    }
}
