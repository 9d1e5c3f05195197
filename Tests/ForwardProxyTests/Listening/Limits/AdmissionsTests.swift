import NIOCore
import Routing
import Settings
import Testing

@testable import ForwardProxy

@Suite("The admission of requests and tunnels")
struct AdmissionsTests {
    /// As many connections as there may be, of which a client that is alone has eight at most.
    private static let openConnections = 10
    private static let share = 8

    /// Connections of clients, of which one may be idle.
    private final class OtherConnections: UpstreamPool.OtherConnections {
        private let loop: any EventLoop
        private let isOneIdle: Bool
        private(set) var asked: [ClientUsage] = []

        init(isOneIdle: Bool, loop: any EventLoop) {
            self.isOneIdle = isOneIdle
            self.loop = loop
        }

        func closeIdle(of client: ClientUsage) -> Bool {
            asked.append(client)
            return isOneIdle
        }

        func closeIdleElsewhere(for client: ClientUsage) -> EventLoopFuture<Bool> { loop.makeSucceededFuture(false) }
    }

    private func claim(_ proxy: EmbeddedProxy, _ client: ClientUsage) -> Result<ConnectionClaim, Problem> {
        do throws(Problem) {
            return .success(try proxy.worker.admissions.claimTunnel(for: client))
        } catch {
            return .failure(error)
        }
    }

    private func problem(_ result: Result<ConnectionClaim, Problem>) -> Problem? {
        if case .failure(let problem) = result { problem } else { nil }
    }

    private func proxy(_ configure: (inout ProxySetup) -> Void = { _ in }) throws -> EmbeddedProxy {
        var setup = ProxySetup.unconnected
        configure(&setup)
        return try EmbeddedProxy(setup)
    }

    // MARK: Requests

    @Test("Nobody is asked whose request it is where requests are not counted", arguments: [false, true])
    func asks(isCounted: Bool) throws {
        let proxy = try proxy { if isCounted { $0.limits.requestsPerClient = 1 } }
        var connection = DecidedConnection(to: proxy)
        let decision = try connection.decide("GET http://other.test/", host: "other.test")
        let route = try #require(decision.route)
        let other = proxy.usage(of: "other")
        var names: [String?] = []
        let admission = try proxy.worker.admissions.admit(route) { name in
            names.append(name)
            return other
        }
        let expected: [String?] = isCounted ? [nil] : []
        #expect(names == expected)
        let isAdmissionKept = admission != nil
        #expect(isAdmissionKept == isCounted)
        #expect(other.requests.isAt(1) == isCounted)
    }

    // MARK: Tunnels

    @Test("A client has as many tunnels as it may, and another one when one of them has ended")
    func tunnels() throws {
        let proxy = try proxy { $0.limits.tunnelsPerClient = 2 }
        let (client, other) = (proxy.usage(of: "one"), proxy.usage(of: "other"))
        let claims = try (0..<2).map { _ in try claim(proxy, client).get() }
        let expected = Problem.tooMany("tunnels", of: "one", limit: 2, setting: "limits.tunnels_per_client")
        for _ in 0..<2 { #expect(problem(claim(proxy, client)) == expected) }
        #expect(client.connections.held == 2)
        let others = try claim(proxy, other).get()
        claims[0].release()
        let next = try claim(proxy, client).get()
        #expect(problem(claim(proxy, client)) == expected)
        for claim in [claims[1], others, next] { claim.release() }
        #expect(client.connections.held == 0)
    }

    @Test("Without a limit of tunnels a client has its share of connections, and no more")
    func share() throws {
        let proxy = try proxy { $0.limits.openConnections = Self.openConnections }
        let client = proxy.usage(of: "one")
        let claims = try (0..<Self.share).map { _ in try claim(proxy, client).get() }
        let expected = Problem.openConnectionsUsedUp(
            of: "one",
            held: Self.share,
            used: Self.share,
            capacity: Self.openConnections
        )
        for _ in 0..<2 { #expect(problem(claim(proxy, client)) == expected) }
        // What was refused is not counted among tunnels either.
        let isCounted = client.tunnels.isAt(Self.share + 1)
        #expect(!isCounted)
        let lines = proxy.log.text.split(separator: "\n").filter { $0.contains("open connections are used up") }
        #expect(lines.count == 1)
        for claim in claims { claim.release() }
    }

    @Test("One beyond its share takes the place of an idle connection of the same client", arguments: [true, false])
    func replaces(isOneIdle: Bool) throws {
        let proxy = try proxy { $0.limits.openConnections = Self.openConnections }
        let client = proxy.usage(of: "one")
        client.connections.takeAnyway(Self.share)
        let others = OtherConnections(isOneIdle: isOneIdle, loop: proxy.worker.loop)
        proxy.worker.pool.setOthers(others)
        let claimed = claim(proxy, client)
        #expect(others.asked.count == 1 && others.asked.first === client)
        #expect((problem(claimed) == nil) == isOneIdle)
        #expect(client.connections.held == (isOneIdle ? Self.share + 1 : Self.share))
        if case .success(let claim) = claimed { claim.release() }
        client.connections.giveBack(Self.share)
    }

    @Test("No connection is closed for a tunnel that there is room for, or that its client may not have")
    func leavesIdle() throws {
        let proxy = try proxy {
            $0.limits.openConnections = Self.openConnections
            $0.limits.tunnelsPerClient = 1
        }
        let client = proxy.usage(of: "one")
        let others = OtherConnections(isOneIdle: true, loop: proxy.worker.loop)
        proxy.worker.pool.setOthers(others)
        let tunnel = try claim(proxy, client).get()
        client.connections.takeAnyway(Self.share)
        let expected = Problem.tooMany("tunnels", of: "one", limit: 1, setting: "limits.tunnels_per_client")
        #expect(problem(claim(proxy, client)) == expected)
        #expect(others.asked.isEmpty)
        tunnel.release()
        client.connections.giveBack(Self.share)
    }
}
