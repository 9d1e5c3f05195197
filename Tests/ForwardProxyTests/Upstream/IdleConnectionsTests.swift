import NIOCore
import Testing

@testable import ForwardProxy

@Suite("Idle upstream connections")
struct IdleConnectionsTests {
    private static let request = "GET http://api.test/1 HTTP/1.1\nHost: api.test\n\n"
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"

    @Test("A burst of requests that comes again finds all the connections of the first one")
    func keepsBurst() async throws {
        try await withBurst(of: 3, surplusTime: .minutes(10)) { clients, servers, upstream in
            for client in clients { try await client.send(Self.request) }
            for server in servers { _ = try await server.head() }
            #expect(upstream.connectionCount == 3)
        }
    }

    @Test("What a burst has left over the limit is closed, the oldest first")
    func closesSurplus() async throws {
        try await withBurst(of: 3, surplusTime: .milliseconds(1)) { clients, servers, upstream in
            for server in servers.dropLast() { _ = try await server.end() }
            try await clients[0].send(Self.request)
            _ = try await servers[2].head()
            #expect(upstream.connectionCount == 3)
        }
    }

    /// Each of as many clients has had its answer on a connection of its own, one after another, where one is kept.
    private func withBurst(
        of count: Int,
        surplusTime: TimeAmount,
        _ body: ([Wire], [Wire], ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.limits.pooledPerHost = 1
        setup.timeouts.surplus = surplusTime
        try await RunningProxy.with(setup) { proxy in
            var clients: [Wire] = []
            var servers: [Wire] = []
            for _ in 0..<count {
                let client = try await proxy.connect()
                try await client.send(Self.request)
                let server = try await upstream.accept()
                _ = try await server.head()
                clients.append(client)
                servers.append(server)
            }
            for (client, server) in zip(clients, servers) {
                try await server.send(Self.answer)
                #expect(try await client.message().status == 200)
            }
            try await body(clients, servers, upstream)
        }
        await upstream.stop()
    }
}
