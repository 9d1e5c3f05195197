import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Pools of upstream connections", .generousLimit, .timed)
struct UpstreamPoolTests {
    private static let request = "GET http://api.test/1 HTTP/1.1\nHost: api.test\n\n"
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"

    @Test("A burst of requests that comes again finds all the connections of the first one")
    func keepsBurst() async throws {
        try await withBurst(of: 3, surplusTime: .minutes(10)) { burst in
            for client in burst.clients { try await client.send(Self.request) }
            for server in burst.servers { _ = try await server.head() }
            #expect(burst.upstream.connectionCount == 3)
        }
    }

    @Test("What a burst has left over the limit is closed, the oldest first")
    func closesSurplus() async throws {
        // More than are closed at once.
        try await withBurst(of: 40, surplusTime: .seconds(1)) { burst in
            // Once until they are watched for the whole time, and once more until the last ones are closed.
            for _ in 0..<3 { await burst.proxy.clock.advance(by: .seconds(1)) }
            for server in burst.servers.dropLast() { _ = try await server.end() }
            try await burst.clients[0].send(Self.request)
            _ = try await burst.servers[39].head()
            #expect(burst.upstream.connectionCount == 40)
        }
    }

    @Test("A new connection takes the place of one that a burst has left over the limit")
    func makesRoom() async throws {
        let other = try await ScriptedUpstream.start()
        let api = ProxySetup.API(name: "other", hosts: ["other.test"], port: other.port)
        try await withBurst(of: 3, surplusTime: .minutes(10), beside: [api]) { burst in
            try await burst.clients[0].send("GET http://other.test/ HTTP/1.1\nHost: other.test\n\n")
            let server = try await other.accept()
            _ = try await server.head()
            _ = try await burst.servers[0].end()
            try await server.send(Self.answer)
            #expect(try await burst.clients[0].message().status == 200)
            for client in burst.clients.dropLast() { try await client.send(Self.request) }
            for server in burst.servers.dropFirst() { _ = try await server.head() }
            #expect(burst.upstream.connectionCount == 3)
        }
        await other.stop()
    }

    @Test("When the configuration is read again, what is over the limit is closed, and the rest taken over")
    func closesSurplusAtReload() async throws {
        // More than are closed at once.
        try await withBurst(of: 40, surplusTime: .minutes(10)) { burst in
            try await burst.proxy.reload(burst.setup)
            await burst.proxy.clock.advance(by: .seconds(1))
            for server in burst.servers.dropLast() { _ = try await server.end() }
            let client = try await burst.proxy.connect()
            try await client.send(Self.request)
            _ = try await burst.servers[39].head()
            #expect(burst.upstream.connectionCount == 40)
        }
    }

    @Test("A connection that has reached its greatest age takes no new request")
    func ages() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.connectionAge = .minutes(8)
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.request)
            let first = try await upstream.accept()
            _ = try await first.head()
            try await first.send(Self.answer)
            #expect(try await client.message().status == 200)
            await proxy.clock.advance(by: .minutes(7))
            try await client.send(Self.request)
            _ = try await first.head()
            try await first.send(Self.answer)
            #expect(try await client.message().status == 200)
            await proxy.clock.advance(by: .minutes(1))
            try await client.send(Self.request)
            let second = try await upstream.accept()
            _ = try await second.head()
            _ = try await first.end()
            try await second.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
    }

    private struct Burst {
        let proxy: RunningProxy
        let setup: ProxySetup
        let upstream: ScriptedUpstream
        var clients: [Wire] = []
        var servers: [Wire] = []
    }

    /// Each of as many clients has had its answer on a connection of its own, one after another, where one is kept.
    private func withBurst(
        of count: Int,
        surplusTime: TimeAmount,
        beside apis: [ProxySetup.API] = [],
        _ body: (Burst) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis += apis
        setup.limits.pooledPerHost = 1
        setup.timeouts.surplus = surplusTime
        try await RunningProxy.with(setup) { proxy in
            var burst = Burst(proxy: proxy, setup: setup, upstream: upstream)
            for _ in 0..<count {
                let client = try await proxy.connect()
                try await client.send(Self.request)
                let server = try await upstream.accept()
                _ = try await server.head()
                burst.clients.append(client)
                burst.servers.append(server)
            }
            for (client, server) in zip(burst.clients, burst.servers) {
                try await server.send(Self.answer)
                #expect(try await client.message().status == 200)
            }
            try await body(burst)
        }
        await upstream.stop()
    }
}
