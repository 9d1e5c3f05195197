import NIOCore
import OAuthSigning
import Routing
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Guesses at passwords", .generousLimit, .timed)
struct GuessedPasswordTests {
    /// Two clients, whose password is `right`.
    private static let clients = AccessPolicy(
        clients: ["one", "two"].map { Client(name: $0) { $0.count == 5 && $0[0] == UInt8(ascii: "r") } }
    )

    private static func request(_ credentials: String) -> String {
        RunningProxy.request(fields: "Proxy-Authorization: \(GatewayTests.basic(credentials))\n")
    }

    private func with(_ body: (RunningProxy, ScriptedUpstream) async throws -> Void) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.access = Self.clients
        } _: { proxy, upstream in
            try await body(proxy, upstream)
        }
    }

    private func answer(_ proxy: RunningProxy, _ credentials: String, from address: String = "127.0.0.1") async throws
        -> Message
    {
        let wire = try await Wire.connect(from: address, port: proxy.port)
        try await wire.send(Self.request(credentials))
        let message = try await wire.message()
        await wire.close()
        return message
    }

    private func useUp(_ proxy: RunningProxy) async throws {
        for number in 0..<5 { #expect(try await answer(proxy, "one:\(number)").status == 407) }
    }

    @Test("Those of one connection, one behind the other, are slowed like any others")
    func pipeline() async throws {
        try await with { proxy, _ in
            let client = try await proxy.connect()
            try await client.send((0..<8).map { Self.request("one:\($0)") }.joined())
            for _ in 0..<5 { #expect(try await client.message().status == 407) }
            for milliseconds in [250, 500, 1000] as [Int64] {
                try await proxy.hasWaitingLogins(1)
                await proxy.clock.advance(by: .milliseconds(milliseconds - 1))
                try await proxy.hasWaitingLogins(1)
                await proxy.clock.advance(by: .milliseconds(1))
                #expect(try await client.message().status == 407)
            }
            // Their time begins with their heads.
            let lines = try await proxy.accessLogText(lines: 8).split(separator: "\n")
            for (line, time) in zip(lines.suffix(3), [250, 500, 1000]) {
                #expect(line.contains("\"duration_us\":\(time)000}"))
            }
        }
    }

    @Test("A right password waits its turn as well, and is served; whoever logged in before is served at once")
    func right() async throws {
        try await with { proxy, upstream in
            let known = try await proxy.connect()
            try await known.send(Self.request("two:right"))
            let server = try await upstream.accept()
            try await serve(known, server)
            try await useUp(proxy)
            let again = try await proxy.connect()
            try await again.send(Self.request("two:right"))
            try await serve(again, server)
            let client = try await proxy.connect()
            try await client.send(Self.request("one:right"))
            try await proxy.hasWaitingLogins(1)
            await proxy.clock.advance(by: .milliseconds(250))
            try await serve(client, server)
            // On this connection nobody waits any more, and elsewhere strangers' failures do not count.
            try await client.send(Self.request("one:right"))
            try await serve(client, server)
            let elsewhere = try await Wire.connect(from: "127.0.0.2", port: proxy.port)
            try await elsewhere.send(Self.request("one:right"))
            try await serve(elsewhere, server)
        }
    }

    private func serve(_ client: Wire, _ server: Wire) async throws {
        _ = try await server.head()
        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
        #expect(try await client.message().status == 200)
    }

    @Test("Beyond those whose turn comes soon they are refused unchecked, with the time to wait")
    func refusesUnchecked() async throws {
        try await with { proxy, _ in
            try await useUp(proxy)
            var clients: [Wire] = []
            for number in 0..<5 {
                let client = try await proxy.connect()
                try await client.send("CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n")
                try await client.send("Proxy-Authorization: \(GatewayTests.basic("one:more \(number)"))\n\n")
                clients.append(client)
                try await proxy.hasWaitingLogins(number + 1)
            }
            for credentials in ["one:right", "one:wrong", "nobody:wrong"] {
                let refused = try await answer(proxy, credentials)
                #expect(refused.status == 429)
                #expect(refused.proxyError == "http_request_denied")
                #expect(refused["Retry-After"] == "5")
            }
            // Who has not sent a password is asked for one.
            #expect(try await proxy.answer(to: plainGet).status == 407)
            // The turn of one that is gone passes.
            try await clients[0].reset()
            try await proxy.hasWaitingLogins(4)
            try await clients[1].finishSending()
            await proxy.clock.advance(by: .milliseconds(750))
            #expect(try await clients[1].message().status == 407)
            #expect(proxy.server.failedLogins == (6, 3))
        }
    }

    @Test("Those at one name from an address keep no other name's right password out there")
    func sharedAddress() async throws {
        try await with { proxy, upstream in
            try await useUp(proxy)
            var guessing: [Wire] = []
            for number in 0..<5 {
                let client = try await proxy.connect()
                try await client.send(Self.request("one:more \(number)"))
                guessing.append(client)
            }
            try await proxy.hasWaitingLogins(5)
            #expect(try await answer(proxy, "one:right").status == 429)
            var clients: [Wire] = []
            for _ in 0..<3 {
                let client = try await proxy.connect()
                try await client.send(Self.request("two:right"))
                clients.append(client)
            }
            try await proxy.hasWaitingLogins(8)
            await proxy.clock.advance(by: .seconds(2))
            // Whose request comes by which connection is up to the event loops.
            var servers: [Wire] = []
            for _ in clients { servers.append(try await upstream.accept()) }
            for server in servers { _ = try await server.head() }
            for server in servers { try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok") }
            for client in clients { #expect(try await client.message().status == 200) }
        }
    }

    @Test("The log has one line a minute, with their number, and no password")
    func logs() async throws {
        try await with { proxy, _ in
            for number in 0..<4 { _ = try await answer(proxy, "one:hidden \(number)") }
            #expect(lines(proxy).count == 1)
            await proxy.clock.advance(by: .seconds(59))
            _ = try await answer(proxy, "t\u{7}wo:hidden", from: "127.0.0.2")
            _ = try await answer(proxy, "two:hidden", from: "127.0.0.2")
            #expect(lines(proxy).count == 1)
            await proxy.clock.advance(by: .seconds(1))
            let found = lines(proxy)
            #expect(found.count == 2)
            #expect(found.last?.contains("\"failed\": 4") == true, "\(found)")
            #expect(found.last?.contains("127.0.0.1 (3), 127.0.0.2 (1)") == true)
            #expect(!proxy.log.text.contains("hidden"))
            await proxy.clock.advance(by: .minutes(20))
            #expect(lines(proxy).count == 2)
        }
    }

    private func lines(_ proxy: RunningProxy) -> [Substring] {
        proxy.log.text.split(separator: "\n").filter { $0.contains("log-ins failed") }
    }

    @Test("Those at a gateway are slowed as well, in Authorization too")
    func gateway() async throws {
        try await RunningProxy.withGateway {
            $0.access = Self.clients
        } _: { proxy, _ in
            let client = try await proxy.connectToGateway()
            func request(_ password: String) throws -> String {
                let field = "Authorization: \(GatewayTests.basic("one:\(password)"))\n"
                return "GET / HTTP/1.1\nHost: localhost:\(try proxy.gatewayPort())\n\(field)\n"
            }
            for number in 0..<6 { try await client.send(request("\(number)")) }
            for _ in 0..<5 { #expect(try await client.message().status == 401) }
            try await proxy.hasWaitingLogins(1)
            // A password that is known to be wrong does not wait, nor do requests without one.
            let other = try await proxy.connectToGateway()
            try await other.send(request("0"))
            #expect(try await other.message().status == 401)
            try await other.send("GET / HTTP/1.1\nHost: localhost:\(try proxy.gatewayPort())\n\n")
            #expect(try await other.message().status == 401)
            await proxy.clock.advance(by: .milliseconds(250))
            #expect(try await client.message().status == 401)
        }
    }

    @Test("The admin listener's token is guarded by the same addresses")
    func adminToken() async throws {
        try await with { proxy, _ in
            let token = Secret("token")
            for number in 0..<5 {
                #expect(try await !proxy.server.check(Secret("\(number)"), from: "127.0.0.1") { false })
            }
            #expect(try await proxy.server.check(token, from: "127.0.0.2") { true })
            async let late = proxy.server.check(token, from: "127.0.0.1") { true }
            try await proxy.clock.expire(.milliseconds(250))
            #expect(try await late)
            #expect(try await proxy.server.check(token, from: "127.0.0.1") { true })
        }
    }
}
