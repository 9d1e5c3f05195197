import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Blind tunnels", .generousLimit, .timed)
struct TunnelTests {
    /// A proxy that may be asked for the upstream's port, a client that has asked for it, and the upstream's end.
    private func withTunnel(
        early: String = "",
        _ configure: (inout ProxySetup) -> Void = { _ in },
        _ body: (RunningProxy, Wire, Wire) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(apis: [])
        setup.access = AccessPolicy(connectPorts: [upstream.port])
        configure(&setup)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(upstream.port)"
            try await client.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n\(early)")
            #expect(try await client.head().status == 200)
            try await body(proxy, client, try await upstream.accept())
        }
        await upstream.stop()
    }

    @Test("Bytes pass both ways as they are")
    func passesBytes() async throws {
        try await withTunnel { _, client, server in
            let bytes = ByteBuffer(bytes: (0...255).map { UInt8($0) })
            try await client.sendBytes(bytes)
            #expect(try await server.bytes(256) == bytes.latin1)
            try await server.sendBytes(bytes)
            #expect(try await client.bytes(256) == bytes.latin1)
        }
    }

    @Test("Bytes that come along with CONNECT are passed on first")
    func passesEarlyBytes() async throws {
        try await withTunnel(early: "early") { _, client, server in
            try await client.send(" late")
            #expect(try await server.bytes(10) == "early late")
        }
    }

    @Test("A server may speak first")
    func passesGreeting() async throws {
        try await withTunnel { _, client, server in
            try await server.send("220 ready\n")
            #expect(try await client.bytes(11) == "220 ready\r\n")
        }
    }

    @Test("An end passes through while the other direction goes on")
    func passesHalfClose() async throws {
        try await withTunnel { _, client, server in
            try await client.send("question")
            try await client.finishSending()
            #expect(try await server.rest().received == "question")
            try await server.send("answer")
            try await server.finishSending()
            let rest = try await client.rest()
            #expect(rest.received == "answer")
            #expect(rest.end == .clean)
        }
    }

    @Test("What a slow client has not read yet is not lost when both sides have ended")
    func deliversBeforeClosing() async throws {
        try await withTunnel { proxy, client, server in
            try await client.finishSending()
            #expect(try await server.end() == .clean)
            try await client.channel.setOption(.autoRead, value: false).get()
            let piece = ByteBuffer(repeating: 0x78, count: 256 * 1024)
            let flow = try await Flow.fill(server, through: proxy, piece: piece, limit: 64 << 20)
            #expect(flow.isHeldBack)
            try await client.channel.setOption(.autoRead, value: true).get()
            try await flow.lastWrite.get()
            try await server.finishSending()
            try await client.received(atLeast: flow.written)
            #expect(try await client.end() == .clean)
        }
    }

    @Test("A side that is lost takes the other with it")
    func closesBoth() async throws {
        try await withTunnel { _, client, server in
            try await server.send("x")
            #expect(try await client.bytes(1) == "x")
            try await server.reset()
            let rest = try await client.rest()
            #expect(rest.received.isEmpty)
            #expect(rest.end == .cut)
        }
    }

    @Test("A tunnel through which nothing moves is closed")
    func closesIdle() async throws {
        try await withTunnel {
            $0.timeouts.idle = .seconds(5)
        } _: { proxy, client, server in
            try await proxy.clock.expire(.seconds(5))
            #expect(try await client.end() == .clean)
            #expect(try await server.end() == .clean)
        }
    }

    @Test("A tunnel through which bytes pass is not, in whichever direction", arguments: [true, false])
    func keepsBusy(isFromClient: Bool) async throws {
        try await withTunnel {
            $0.timeouts.idle = .seconds(60)
        } _: { proxy, client, server in
            let (sender, receiver) = isFromClient ? (client, server) : (server, client)
            for _ in 0..<3 {
                await proxy.clock.advance(by: .seconds(59))
                try await sender.send("x")
                let passed = try? await receiver.bytes(1)
                #expect(passed == "x")
            }
            await proxy.clock.advance(by: .seconds(60))
            #expect(try await client.end() == .clean)
            #expect(try await server.end() == .clean)
        }
    }

    @Test("The access log has the bytes of both directions")
    func logs() async throws {
        try await withTunnel { proxy, client, server in
            try await client.send("four")
            #expect(try await server.bytes(4) == "four")
            try await server.send("seven77")
            #expect(try await client.bytes(7) == "seven77")
            let counted = ["request": 4.0, "response": 7.0]
            #expect(await proxy.samples("paraph_bytes_total", ["direction"]) == counted)
            await client.close()
            await server.close()
            let line = try await proxy.accessLogLine()
            #expect(await proxy.samples("paraph_bytes_total", ["direction"]) == counted)
            #expect(line["method"] as? String == "CONNECT")
            #expect(line["status"] as? Int == 200)
            #expect(line["request_bytes"] as? Int == 4)
            #expect(line["response_bytes"] as? Int == 7)
        }
    }

    @Test("Other hosts are refused where the configuration says so, and other ports always")
    func refuses() async throws {
        let upstream = try await ScriptedUpstream.start()
        for policy in [
            AccessPolicy(otherHosts: .refuse, connectPorts: [upstream.port]), AccessPolicy(connectPorts: [443]),
        ] {
            var setup = ProxySetup(apis: [])
            setup.access = policy
            try await RunningProxy.with(setup) { proxy in
                let authority = "127.0.0.1:\(upstream.port)"
                let answer = try await proxy.answer(to: "CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
                #expect(answer.status == 403)
                #expect(answer.proxyError == "http_request_denied")
            }
        }
        #expect(upstream.connectionCount == 0)
        await upstream.stop()
    }

    @Test("A tunnel to a port where nothing listens is a bad gateway")
    func tellsRefusedPort() async throws {
        try await UnusedPort.with { port in
            var setup = ProxySetup(apis: [])
            setup.access = AccessPolicy(connectPorts: [port])
            let authority = "127.0.0.1:\(port)"
            let answer = try await RunningProxy.with(setup) { proxy in
                try await proxy.answer(to: "CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
            }
            #expect(answer.status == 502)
            #expect(answer.proxyError == "connection_refused")
        }
    }

    @Test("Clients that are listed reach no private address of a host of no API, unless it is allowed")
    func deniesPrivate() async throws {
        let upstream = try await ScriptedUpstream.start()
        let client = Client(name: "c") { _ in true }
        let fields = "Proxy-Authorization: Basic Yzpw\n\n"
        for isAllowed in [false, true] {
            var setup = ProxySetup(plain: upstream)
            let networks = NetworkPolicy(denied: [], allowed: isAllowed ? [try IPNetwork("127.0.0.0/8")] : [])
            setup.access = AccessPolicy(
                clients: [client],
                networks: networks,
                connectPorts: [upstream.port],
                plainPorts: [upstream.port]
            )
            try await RunningProxy.with(setup) { proxy in
                for host in ["127.0.0.1", "localhost"] {
                    let authority = "\(host):\(upstream.port)"
                    for request in ["CONNECT \(authority)", "GET http://\(authority)/"] {
                        let wire = try await proxy.connect()
                        try await wire.send("\(request) HTTP/1.1\nHost: \(authority)\n\(fields)")
                        if isAllowed {
                            let server = try await upstream.accept()
                            if request.hasPrefix("GET") {
                                _ = try await server.head()
                                try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
                            }
                            #expect(try await wire.head().status == 200)
                        } else {
                            let answer = try await wire.message()
                            #expect(answer.status == 403)
                            #expect(answer.proxyError == "destination_ip_prohibited")
                            #expect(answer.body.contains("access.allowed_networks"))
                        }
                        await wire.close()
                    }
                }
                // Where an API's hosts lead is the operator's word.
                let signed = try await proxy.connect()
                try await signed.send("GET http://api.test/ HTTP/1.1\nHost: api.test\n\(fields)")
                _ = try await upstream.accept().head()
                await signed.close()
            }
        }
        await upstream.stop()
    }
}
