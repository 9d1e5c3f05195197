import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("As many connections as may be, where clients are listed", .generousLimit, .timed)
struct ListedClientLimitTests {
    /// A request in flight of a client that is listed.
    private func inFlight(
        _ proxy: RunningProxy,
        _ upstream: ScriptedUpstream,
        by name: String,
        from address: String = "127.0.0.1"
    ) async throws -> RequestInFlight {
        try await RequestInFlight(proxy, upstream, Self.get(by: name), from: address)
    }

    private static func get(by name: String) -> String {
        RunningProxy.request("GET", fields: "Proxy-Authorization: \(GatewayTests.basic("\(name):"))\n")
    }

    @Test("Where clients are listed, places are theirs, wherever they come from; who holds most of them has less time")
    func listed() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 3
            $0.timeouts.progress = .seconds(5)
            $0.access = AccessPolicy(clients: ["one", "two"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            func head(_ name: String) -> String {
                RunningProxy.request(
                    "POST",
                    fields: "Proxy-Authorization: \(GatewayTests.basic("\(name):"))\nContent-Length: 9\n"
                )
            }
            var uploads: [RequestInFlight] = []
            for _ in 0..<3 { uploads.append(try await RequestInFlight(proxy, upstream, head("one"))) }
            await proxy.clock.advance(by: .seconds(1))
            let other = try await RequestInFlight(proxy, upstream, head("two"))
            try await proxy.wait { uploads.count { !$0.client.inbox.isOpen } == 1 }
            #expect(other.client.isOpen)
        }
    }

    @Test(
        "Where clients are listed, who holds the most gets no place of others by coming anew",
        arguments: ["127.0.0.1", "127.0.0.2"]
    )
    func listedNewcomers(_ address: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 20
            $0.access = AccessPolicy(clients: ["modest", "greedy"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<6 {
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                idle.append(request.client)
            }
            var greedy: [Wire] = []
            for _ in 0..<18 {
                let before = upstream.connectionCount
                let client = try await Wire.connect(from: address, port: proxy.port)
                try await client.send(Self.get(by: "greedy"))
                try await proxy.wait { upstream.connectionCount > before || client.inbox.total > 0 }
                greedy.append(client)
            }
            let refused = greedy.filter { $0.inbox.total > 0 }
            #expect(refused.count == 5)
            for client in refused { #expect(try await client.message().status == 503) }
            // They are told, and keep no places until they are closed.
            _ = try await inFlight(proxy, upstream, by: "modest", from: "127.0.0.9")
            for client in idle { #expect(client.isOpen) }
        }
    }

    @Test("Where clients are listed, newcomers that wait for places hold none yet")
    func listedTogether() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = 24
            $0.access = AccessPolicy(clients: ["idle", "newcomer"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<24 {
                let request = try await inFlight(proxy, upstream, by: "idle")
                try await request.answer()
                idle.append(request.client)
            }
            var newcomers: [Wire] = []
            for _ in 0..<12 { newcomers.append(try await Wire.connect(from: "127.0.0.2", port: proxy.port)) }
            let peer = PeerAddress(try SocketAddress(ipAddress: "127.0.0.2", port: 1))
            let address = proxy.server.usages.usage(of: .peer(peer))
            try await proxy.wait { address.surplus.held + address.places.held == newcomers.count }
            // All of them say their names before any of them is decided upon.
            let gate = DispatchGate()
            for proxyLoop in proxy.server.loops.values { proxyLoop.eventLoop.execute { _ = gate.pass() } }
            for newcomer in newcomers { try await newcomer.send(Self.get(by: "newcomer")) }
            gate.open()
            try await proxy.wait {
                newcomers.count { $0.inbox.total > 0 } + upstream.connectionCount == 24 + newcomers.count
            }
            #expect(newcomers.allSatisfy { $0.inbox.total == 0 })
            for client in idle { await client.close() }
        }
    }

    @Test("Where clients are listed, whoever says nothing keeps nobody out who says a name", arguments: [1, 40])
    func silentStrangers(connections: Int) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.connections = connections
            $0.access = AccessPolicy(clients: [Client(name: "modest") { _ in true }])
        } _: { proxy, upstream in
            var silent: [Wire] = []
            for _ in 0..<150 {
                // Some are closed at once.
                if let client = try? await Wire.connect(port: proxy.port) { silent.append(client) }
            }
            for _ in 0..<10 {
                let request = try await inFlight(proxy, upstream, by: "modest")
                try await request.answer()
                await request.client.close()
            }
            for client in silent { await client.close() }
        }
    }
}
