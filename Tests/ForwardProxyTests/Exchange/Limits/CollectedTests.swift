import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Requests that are held until they can be signed", .generousLimit, .timed)
struct CollectedTests {
    private static let collected = 256 * 1024

    private static func form(length: Int) -> String {
        "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: application/x-www-form-urlencoded\n"
            + "Content-Length: \(length)\n\n"
    }

    /// A form of which everything has come but the last byte.
    private func unfinished(_ proxy: RunningProxy, length: Int, from address: String) async throws -> Wire {
        let client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send(Self.form(length: length) + String(repeating: "a", count: length - 1))
        return client
    }

    private func held(_ proxy: RunningProxy, _ address: String) throws -> Int {
        let peer = PeerAddress(try SocketAddress(ipAddress: address, port: 1))
        return proxy.server.usages.usage(of: .peer(peer)).memory.held
    }

    @Test("All together are bounded, and one client leaves others some")
    func budget() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<16 {
                let client = try await unfinished(proxy, length: 40_000, from: "127.0.0.2")
                clients.append(client)
            }
            try await proxy.wait { clients.count { $0.inbox.total > 0 } >= 12 }
            #expect(try held(proxy, "127.0.0.2") <= Self.collected)
            let refused = try #require(clients.first { $0.inbox.total > 0 })
            let answer = try await refused.message()
            #expect(answer.status == 503 && answer["Retry-After"] == "1")
            #expect(answer.proxyError == "connection_limit_reached")
            #expect(answer.body.contains("127.0.0.2") && answer.body.contains("limits.collected"))
            #expect(proxy.log.text.contains("limits.collected is used up"))
            async let answering: Void = upstream.answerNext()
            let form = Self.form(length: 1000) + String(repeating: "a", count: 1000)
            let other = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await other.send(form)
            #expect(try await other.message().status == 200)
            try await answering
            for client in clients { await client.close() }
            try await proxy.wait { try held(proxy, "127.0.0.2") == 0 && held(proxy, "127.0.0.3") == 0 }
        }
    }

    @Test("A client that holds more than a quarter gives the rest back when another one is refused some")
    func isGivenBack() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            var clients: [Wire] = []
            for _ in 0..<3 { clients.append(try await unfinished(proxy, length: 40_000, from: "127.0.0.2")) }
            try await proxy.wait { try held(proxy, "127.0.0.2") >= Self.collected * 3 / 4 }
            let form = Self.form(length: 40_000) + String(repeating: "a", count: 40_000)
            let refused = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await refused.send(form)
            #expect(try await refused.message().status == 503)
            try await proxy.wait { clients.count { $0.inbox.total > 0 } == 2 }
            #expect(try held(proxy, "127.0.0.2") <= Self.collected / 4)
            async let answering: Void = upstream.answerNext()
            let next = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await next.send(form)
            #expect(try await next.message().status == 200)
            try await answering
        }
    }

    @Test(
        "A client gives back heads and forms of requests that the server does not answer, too",
        arguments: [
            "GET http://api.test/ HTTP/1.1\nHost: api.test\nX-Large: \(String(repeating: "a", count: 20_000))\n\n",
            form(length: 60_000) + String(repeating: "a", count: 60_000),
            "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: text/plain\n"
                + "X-Large: \(String(repeating: "a", count: 20_000))\nContent-Length: 9\n\n",
        ]
    )
    func isGivenBackInFlight(_ request: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            while try held(proxy, "127.0.0.2") < Self.collected * 3 / 4 {
                _ = try await RequestInFlight(proxy, upstream, request, from: "127.0.0.2")
            }
            let form = Self.form(length: 40_000) + String(repeating: "a", count: 40_000)
            let refused = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await refused.send(form)
            #expect(try await refused.message().status == 503)
            try await proxy.wait { try held(proxy, "127.0.0.2") <= Self.collected / 4 }
            async let answering: Void = upstream.answerNext()
            let next = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await next.send(form)
            #expect(try await next.message().status == 200)
            try await answering
        }
    }

    @Test("One client has a quarter at most while others hold any")
    func quarter() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, _ in
            let other = try await unfinished(proxy, length: 1000, from: "127.0.0.3")
            try await proxy.wait { try held(proxy, "127.0.0.3") > 0 }
            let client = try await unfinished(proxy, length: 100_000, from: "127.0.0.2")
            #expect(try await client.message().status == 503)
            #expect(other.inbox.isOpen)
        }
    }

    @Test("Large heads are held too, and refused alike by HTTP/2")
    func heads() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, upstream in
            let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
            let fields = "X-Large: \(String(repeating: "a", count: 30_000))\n"
            var ids: [HTTP2StreamID] = []
            for _ in 0..<8 { ids.append(try await client.request(fields: fields)) }
            let head = try await client.head(of: try #require(ids.last))
            #expect(head.status == 503)
            #expect(try held(proxy, "127.0.0.1") <= Self.collected)
            client.connection.goAway(refusingLaterStreams: true)
            try await client.wire.reset()
            try await proxy.wait { try held(proxy, "127.0.0.1") == 0 }
            _ = upstream
        }
    }

    @Test("A body that is on its way and finds no room is sent, and merely not kept to be sent again")
    func replay() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = 4 * 1024
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            let head = "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: text/plain\n"
            try await client.send("\(head)Content-Length: 20000\n\n" + String(repeating: "a", count: 20_000))
            let server = try await upstream.accept()
            #expect(try await server.message().body.count == 20_000)
            try await server.send(RequestInFlight.answer)
            #expect(try await client.message().status == 200)
            #expect(try held(proxy, "127.0.0.1") == 0)
        }
    }

    @Test("A body that is about to be sent again is not given back: the request is refused instead")
    func replayThatIsWanted() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup.passwordGrant(port: upstream.port)
        setup.limits.collected = 70_000
        try await RunningProxy.with(setup) { proxy in
            let client = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            let head = "PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: text/plain\n"
            try await client.send("\(head)Content-Length: 60000\n\n" + String(repeating: "a", count: 60_000))
            let tokens = #"{"access_token":"first","refresh_token":"again","token_type":"Bearer"}"#
            let granting = try await upstream.accept()
            _ = try await granting.message()
            try await granting.send(ScriptedProvider.answer("200 OK", tokens, fields: "Connection: close\n"))
            let refusing = try await upstream.accept()
            #expect(try await refusing.message().body.count == 60_000)
            try await refusing.send(
                ScriptedProvider.answer(
                    "401 Unauthorized",
                    "no",
                    fields: "Connection: close\nWWW-Authenticate: Bearer realm=\"x\"\n"
                )
            )
            // The request waits for another token.
            let renewing = try await upstream.accept()
            _ = try await renewing.message()
            let other = try await Wire.connect(from: "127.0.0.3", port: proxy.port)
            try await other.send(
                "GET http://api.test/ HTTP/1.1\nHost: api.test\nX: \(String(repeating: "x", count: 4_420))\n\n"
            )
            #expect(try await other.message().status == 503)
            #expect(try await client.message().status == 503)
            #expect(try held(proxy, "127.0.0.2") == 0)
        }
        await upstream.stop()
    }

    @Test("A request by HTTP/2 that waits for a connection upstream is counted, and refused alike")
    func waits() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.limits.collected = Self.collected
        try await RunningProxy.with(setup) { proxy in
            let client = HTTP2Peer(try await proxy.intercept(protocols: ["h2"]), role: .client)
            var ids: [HTTP2StreamID] = []
            for _ in 0..<8 {
                let id = try await client.request("POST", fields: "Content-Type: text/plain\n", ends: false)
                // Once the proxy waits for the server, which does not shake hands.
                client.connection.sendPing(1)
                try await client.flush()
                try await client.next { event -> Void? in
                    if case .pong = event { () } else { nil }
                }
                client.connection.sendData(id, ByteBuffer(repeating: 0x61, count: 50_000), endsStream: false)
                try await client.flush()
                ids.append(id)
            }
            #expect(try await client.head(of: try #require(ids.last)).status == 503)
            #expect(try held(proxy, "127.0.0.1") <= Self.collected)
            try await client.wire.reset()
            try await proxy.wait { try held(proxy, "127.0.0.1") == 0 }
        }
        await upstream.stop()
    }

    @Test("Heads that are not whole are counted, and refused alike")
    func unfinishedHeads() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = Self.collected
        } _: { proxy, _ in
            let head =
                "GET http://api.test/ HTTP/1.1\nHost: api.test\nX-Large: \(String(repeating: "a", count: 30_000))"
            var clients: [Wire] = []
            for _ in 0..<9 {
                let client = try await proxy.connect()
                try await client.send(head)
                clients.append(client)
            }
            try await proxy.wait { clients.contains { $0.inbox.total > 0 } }
            let refused = try #require(clients.first { $0.inbox.total > 0 })
            #expect(try await refused.message().status == 503)
            #expect(try held(proxy, "127.0.0.1") > 0)
            for client in clients { try await client.reset() }
            try await proxy.wait { try held(proxy, "127.0.0.1") == 0 }
        }
    }

    @Test("A client with its own share has nobody else refused by asking for more while memory is free")
    func ownShare() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.collected = 1024 * 1024
        } _: { proxy, _ in
            let quarter = 256 * 1024
            var others: [Wire] = []
            while try held(proxy, "127.0.0.3") < 2 * quarter {
                let before = try held(proxy, "127.0.0.3")
                others.append(try await unfinished(proxy, length: 40_000, from: "127.0.0.3"))
                try await proxy.wait { try held(proxy, "127.0.0.3") >= before + 40_000 }
            }
            try await proxy.wait { try held(proxy, "127.0.0.3") == others.count * 64 * 1024 }
            var clients: [Wire] = []
            for _ in 0..<5 { clients.append(try await unfinished(proxy, length: 40_000, from: "127.0.0.2")) }
            try await proxy.wait { clients.contains { $0.inbox.total > 0 } }
            let refused = try #require(clients.first { $0.inbox.total > 0 })
            #expect(try await refused.message().status == 503)
            // What is asked of the event loop is done by then.
            for proxyLoop in proxy.server.loops.values { try await proxyLoop.eventLoop.submit {}.get() }
            #expect(try held(proxy, "127.0.0.3") == others.count * 64 * 1024)
            #expect(others.allSatisfy { $0.inbox.total == 0 })
        }
    }

    /// A request of a client that is listed, with a large head, in two halves.
    private static func large(
        _ target: String,
        _ host: String = "api.test",
        fields: String = ""
    ) -> (first: String, second: String) {
        let field = String(repeating: "a", count: 6000)
        return ("\(target) HTTP/1.1\nHost: \(host)\n\(fields)X-First: \(field)\n", "X-Second: \(field)\n\n")
    }

    /// Waits until the proxy has the first half, or has refused it.
    private func hasHalf(of client: Wire, _ proxy: RunningProxy) async throws {
        while client.inbox.total == 0 {
            try Task.checkCancellation()
            for proxyLoop in proxy.server.loops.values {
                let hasCome = try await proxyLoop.eventLoop.submit {
                    proxyLoop.value.clients.contains { (($0 as? ClientHandler)?.input.bufferedBytes ?? 0) > 6000 }
                }.get()
                if hasCome { return }
            }
        }
    }

    @Test("Heads that strangers never end leave room for those of clients that are listed", arguments: [false, true])
    func strangersHeads(isTwoLooped: Bool) async throws {
        try await RunningProxy.withSecureUpstream {
            $0.limits.collected = 1024 * 1024
            $0.isTwoLooped = isTwoLooped
            $0.access = AccessPolicy(clients: [Client(name: "one") { _ in true }])
        } _: { proxy, upstream in
            let login = "Proxy-Authorization: \(GatewayTests.basic("one:"))\n"
            let tunnel = try await proxy.intercept(fields: login)
            let unnamed = proxy.server.usages.unnamed.memory
            var strangers: [Wire] = []
            for _ in 0..<200 {
                let stranger = try await proxy.connect()
                try await stranger.send("GET http://api.test/ HTTP/1.1\nX: \(String(repeating: "a", count: 5000))")
                strangers.append(stranger)
            }
            try await proxy.wait { unnamed.held > 900_000 && strangers.contains { $0.inbox.total > 0 } }
            // It is known whose this one is.
            let inside = Self.large("GET /")
            try await tunnel.send(inside.first)
            let one = proxy.server.usages.usage(of: .client("one")).memory
            try await proxy.wait { one.held > 4096 }
            async let answering: Void = upstream.answerNext()
            try await tunnel.send(inside.second)
            #expect(try await tunnel.message().status == 200)
            try await answering
            try await proxy.wait { one.held == 0 }
            // It is not known whose these are.
            for _ in 0..<3 {
                let client = try await proxy.connect()
                let connect = Self.large("CONNECT api.test:443", "api.test:443", fields: login)
                try await client.send(connect.first)
                try await hasHalf(of: client, proxy)
                try await client.send(connect.second)
                let status = try await client.head().status
                #expect(status == 200)
                await client.close()
            }
            for stranger in strangers { await stranger.close() }
            await tunnel.close()
            try await proxy.wait { unnamed.held == 0 && one.held == 0 }
        }
    }

    @Test("What was counted of input behind a request is given back when its response breaks off")
    func brokenOff() async throws {
        try await RunningProxy.withPlainUpstream { _ in
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet + "GET / HTTP/1.1\nX: \(String(repeating: "a", count: 20_000))")
            try await client.finishSending()
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.wait { try held(proxy, "127.0.0.1") > 10_000 }
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 9\n\nok")
            try await client.received(atLeast: 30)
            try await server.reset()
            _ = try await client.end()
            try await proxy.wait { try held(proxy, "127.0.0.1") == 0 }
        }
    }

    @Test("A form has to come at the least speed")
    func pace() async throws {
        try await RunningProxy.withPlainUpstream { _ in
        } _: { proxy, _ in
            let slow = try await proxy.connect()
            try await slow.send(Self.form(length: 3000) + String(repeating: "a", count: 1000))
            try await proxy.wait { try held(proxy, "127.0.0.1") >= 1000 }
            await proxy.clock.advance(by: .seconds(19))
            #expect(slow.inbox.total == 0)
            try await proxy.clock.expire(.seconds(2))
            let answer = try await slow.message()
            #expect(answer.status == 408)
        }
    }
}
