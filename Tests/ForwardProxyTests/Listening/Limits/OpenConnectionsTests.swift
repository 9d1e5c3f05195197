import HTTP1Codec
import HTTP2Codec
import LocalAuthority
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Open connections that clients share", .generousLimit, .timed)
struct OpenConnectionsTests {
    private func usage(of address: String, _ proxy: RunningProxy) throws -> ClientUsage {
        proxy.server.usages.usage(of: .peer(PeerAddress(try SocketAddress(ipAddress: address, port: 1))))
    }

    /// Sends a request, and has it answered.
    private func isAnswered(_ proxy: RunningProxy, _ upstream: ScriptedUpstream, from address: String) async throws {
        let request = try await RequestInFlight(proxy, upstream, from: address)
        try await request.answer()
        await request.client.close()
    }

    @Test("Streams without end by one client leave others connections upstream, and are refused quickly")
    func streams() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.openConnections = 36
        } _: { proxy, upstream in
            let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
            var ids: [HTTP2StreamID] = []
            for _ in 0..<60 { ids.append(try await client.request("POST", ends: false)) }
            // 32 connections, of which one is the client's own.
            let head = try await client.head(of: try #require(ids.last))
            #expect(head.status == 503)
            #expect(try await client.body(of: try #require(ids.last)).contains("127.0.0.1, which has 32 of 32"))
            #expect(proxy.log.text.contains("open connections are used up"))
            #expect(proxy.log.text.contains("127.0.0.1: 32"))
            for _ in 0..<31 { _ = try await upstream.accept() }
            let other = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await other.send("CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\n")
            #expect(try await other.head().status == 200)
            try await other.startTLS(
                host: "api.test",
                trusting: RunningProxy.authority.get().certificatePEM,
                protocols: ["http/1.1"]
            )
            try await other.send("GET / HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(RequestInFlight.answer)
            #expect(try await other.message().status == 200)
        }
    }

    @Test("A newcomer from an address that has its share is refused, one from another is served")
    func newcomers() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 18
        } _: { proxy, upstream in
            for _ in 0..<8 { _ = try await RequestInFlight(proxy, upstream, from: "127.0.0.2") }
            let refused = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await refused.send(plainGet)
            let answer = try await refused.message()
            #expect(answer.status == 503 && answer.body.contains("127.0.0.2, which has 16 of 16"))
            let other = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await other.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            #expect(try await other.message().status == 501)
        }
    }

    @Test("Newcomers that give their name at the same time take no more together than there is")
    func atOnce() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 36
            $0.access = AccessPolicy(clients: [Client(name: "one") { _ in true }])
        } _: { proxy, upstream in
            let address = try usage(of: "127.0.0.2", proxy)
            for count in 1...32 {
                _ = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
                try await proxy.wait { address.connections.held == count }
            }
            // Their address has its share, and they have none of their own yet.
            var clients: [Wire] = []
            for _ in 0..<20 { clients.append(try await Wire.connect(from: "127.0.0.2", port: proxy.port)) }
            try await proxy.wait { address.surplus.held == clients.count }
            let gate = DispatchGate()
            for proxyLoop in proxy.server.loops.values { proxyLoop.eventLoop.execute { _ = gate.pass() } }
            let login = "Proxy-Authorization: \(GatewayTests.basic("one:"))\n"
            for client in clients { try await client.send(RunningProxy.request("GET", fields: login)) }
            gate.open()
            try await proxy.wait { clients.count { $0.inbox.total > 0 } + upstream.connectionCount >= clients.count }
            let one = proxy.server.usages.usage(of: .client("one"))
            // Those that have given way are gone a turn of the event loop later.
            try await proxy.wait { one.connections.held + address.connections.held <= 36 }
            #expect(one.connections.held > 0)
        }
    }

    @Test("Idle connections upstream go before a client is refused one")
    func idleOnes() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 5
            $0.apis[0].hosts = (0..<6).map { "\($0).test" }
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            for host in (0..<6).map({ "\($0).test" }) {
                try await client.send("GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 204 No Content\n\n")
                #expect(try await client.message(hasBody: false).status == 204)
            }
        }
    }

    @Test("They go before a client's new connection is refused, too")
    func idleOnesForNewcomers() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 9
            $0.apis[0].hosts = (0..<20).map { "\($0).test" }
        } _: { proxy, upstream in
            for host in (0..<20).map({ "\($0).test" }) {
                let client = try await proxy.connect()
                try await client.send("GET http://\(host)/ HTTP/1.1\nHost: \(host)\n\n")
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send("HTTP/1.1 204 No Content\n\n")
                #expect(try await client.message(hasBody: false).status == 204)
                await client.close()
            }
        }
    }

    @Test("A client whose share its own idle connections take up still gets its requests served")
    func idleClients() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 9
        } _: { proxy, upstream in
            var idle: [Wire] = []
            for _ in 0..<8 {
                let client = try await proxy.connect()
                try await client.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
                #expect(try await client.message().status == 501)
                idle.append(client)
            }
            let last = try #require(idle.last)
            try await last.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(RequestInFlight.answer)
            #expect(try await last.message().status == 200)
            try await proxy.wait { idle.dropLast().count { !$0.inbox.isOpen } == 1 }
        }
    }

    @Test("A tunnel does not take the place of the very connection that asks for it")
    func tunnelOfAnIdleClient() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 9
        } _: { proxy, _ in
            let client = try await proxy.connect()
            try await client.send("TRACE http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            #expect(try await client.message().status == 501)
            let own = try usage(of: "127.0.0.1", proxy)
            for count in 2...8 {
                _ = try await proxy.connect()
                try await proxy.wait { own.connections.held == count }
            }
            try await client.send("CONNECT blind.test:443 HTTP/1.1\nHost: blind.test:443\n\n")
            #expect(try await client.message().status == 503)
        }
    }

    @Test("One on which nothing has been answered is left alone, since its request may be on its way")
    func silentClients() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.openConnections = 9
        } _: { proxy, _ in
            var silent: [Wire] = []
            for _ in 0..<8 { silent.append(try await proxy.connect()) }
            let own = try usage(of: "127.0.0.1", proxy)
            try await proxy.wait { own.connections.held == silent.count }
            for client in silent {
                try await client.send(plainGet)
                #expect(try await client.message().status == 503)
            }
        }
    }

    @Test("As many connections upstream and tunnels as one client may have")
    func perClient() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.upstreamPerClient = 2
            $0.limits.tunnelsPerClient = 1
            $0.access = AccessPolicy(connectPorts: [$0.apis[0].port])
        } _: { proxy, upstream in
            let first = try await RequestInFlight(proxy, upstream)
            _ = try await RequestInFlight(proxy, upstream)
            let refused = try await proxy.answer(to: plainGet)
            #expect(refused.status == 503 && refused.body.contains("limits.upstream_per_client allows, 2"))
            try await isAnswered(proxy, upstream, from: "127.0.0.2")
            try await first.answer()
            let usage = try usage(of: "127.0.0.1", proxy)
            try await proxy.wait { !usage.upstreamConnections.isAt(2) }
            try await isAnswered(proxy, upstream, from: "127.0.0.1")
            let authority = "127.0.0.1:\(upstream.port)"
            let connect = "CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n"
            let tunnel = try await proxy.connect()
            try await tunnel.send(connect)
            #expect(try await tunnel.head().status == 200)
            let second = try await proxy.answer(to: connect)
            #expect(second.status == 503 && second.body.contains("limits.tunnels_per_client allows, 1"))
            let server = try await upstream.accept()
            await tunnel.close()
            await server.close()
            try await proxy.wait { !usage.tunnels.isAt(1) }
            let next = try await proxy.connect()
            try await next.send(connect)
            #expect(try await next.head().status == 200)
        }
    }

    @Test("However many clients come and go, nothing stays counted")
    func nothingIsLeft() async throws {
        try await RunningProxy.withSecureUpstream { _ in
        } _: { proxy, upstream in
            for _ in 0..<3 {
                let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
                let id = try await client.request()
                let server = try await upstream.accept()
                _ = try await server.head()
                try await server.send(RequestInFlight.answer)
                #expect(try await client.body(of: id) == "ok")
                try await client.wire.reset()
            }
            let usage = try usage(of: "127.0.0.1", proxy)
            try await proxy.wait { usage.connections.held == 0 }
            #expect(!usage.upstreamConnections.isAt(1) && !usage.tunnels.isAt(1))
        }
    }
}
