import HTTP1Codec
import HTTP2Codec
import NIOCore
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections that are authenticated", .generousLimit, .timed)
struct ConnectionAuthenticationTests {
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"
    private static let anonymous = "GET http://api.test/ HTTP/1.1\nHost: api.test\n\n"

    private static func request(_ credentials: String) -> String {
        "GET http://api.test/ HTTP/1.1\nHost: api.test\nAuthorization: \(credentials)\n\n"
    }

    private static func challenge(_ challenges: String) -> String {
        "HTTP/1.1 401 Unauthorized\nWWW-Authenticate: \(challenges)\nContent-Length: 0\n\n"
    }

    private func withKeptAuthorization(
        _ body: (RunningProxy, ScriptedUpstream, ProxySetup) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].existingAuthorization = .keep
        try await RunningProxy.with(setup) { try await body($0, upstream, setup) }
        await upstream.stop()
    }

    /// One request and its answer.
    private func exchange(
        _ request: String,
        _ answer: String = answer,
        from client: Wire,
        on server: Wire
    ) async throws {
        try await client.send(request)
        _ = try await server.head()
        try await server.send(answer)
        _ = try await client.message()
    }

    /// The first request of a client, on a connection that was made for it.
    private func begin(
        _ request: String,
        _ answer: String = answer,
        from client: Wire,
        at upstream: ScriptedUpstream
    ) async throws -> Wire {
        try await client.send(request)
        let server = try await upstream.accept()
        _ = try await server.head()
        try await server.send(answer)
        _ = try await client.message()
        return server
    }

    @Test(
        "A connection with a user of its own carries the requests of that client alone",
        arguments: [
            (request("NTLM TlRMTVNTUAAB"), answer), (request("Negotiate YII="), answer),
            (request("negotiate YII="), answer), (anonymous, challenge("NTLM")),
            (anonymous, challenge("Basic realm=\"a, b\", Negotiate")), (anonymous, challenge("Nego2 abc")),
        ]
    )
    func belongsToClient(request: String, answer: String) async throws {
        try await withKeptAuthorization { proxy, upstream, _ in
            let user = try await proxy.connect()
            let own = try await begin(request, answer, from: user, at: upstream)
            let other = try await proxy.connect()
            let shared = try await begin(Self.anonymous, from: other, at: upstream)
            // The handshake goes on there, and what follows it needs no credentials.
            try await exchange(Self.request("NTLM TlRMTVNTUAAD"), from: user, on: own)
            try await exchange(Self.anonymous, from: user, on: own)
            try await exchange(Self.anonymous, from: other, on: shared)
            #expect(upstream.connectionCount == 2)
            await user.close()
            _ = try await own.end()
            try await exchange(Self.anonymous, from: other, on: shared)
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test("Each client on a shared connection has the connections that it authenticated, and no other one's")
    func belongsToNamedClient() async throws {
        func request(of client: String, _ credentials: String = "") -> String {
            let password = GatewayTests.basic("\(client):right")
            return "GET http://api.test/ HTTP/1.1\nHost: api.test\nProxy-Authorization: \(password)\n\(credentials)\n"
        }
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].existingAuthorization = .keep
        setup.access = AccessPolicy(clients: ["one", "two"].map { Client(name: $0) { $0.count == 5 } })
        try await RunningProxy.with(setup) { proxy in
            let wire = try await proxy.connect()
            let handshake = "Authorization: NTLM TlRMTVNTUAAB\n"
            let ones = try await begin(request(of: "one", handshake), from: wire, at: upstream)
            let twos = try await begin(request(of: "two"), from: wire, at: upstream)
            try await exchange(request(of: "two", handshake), from: wire, on: twos)
            try await exchange(request(of: "one"), from: wire, on: ones)
            try await exchange(request(of: "two"), from: wire, on: twos)
            try await exchange(request(of: "one"), from: wire, on: ones)
            #expect(upstream.connectionCount == 2)
        }
        await upstream.stop()
    }

    @Test("A connection from the pool that gets a user does not go back there")
    func leavesPool() async throws {
        try await withKeptAuthorization { proxy, upstream, _ in
            let user = try await proxy.connect()
            let own = try await begin(Self.anonymous, from: user, at: upstream)
            try await exchange(Self.request("NTLM TlRMTVNTUAAB"), from: user, on: own)
            let other = try await proxy.connect()
            _ = try await begin(Self.anonymous, from: other, at: upstream)
            try await exchange(Self.anonymous, from: user, on: own)
        }
    }

    @Test("Credentials and challenges of requests leave the connection to everybody")
    func staysShared() async throws {
        try await withKeptAuthorization { proxy, upstream, _ in
            let user = try await proxy.connect()
            let server = try await begin(
                Self.request("Basic bnRsbQ=="),
                Self.challenge("Basic realm=\"NTLM or Negotiate\", Bearer"),
                from: user,
                at: upstream
            )
            try await exchange(Self.anonymous, from: try await proxy.connect(), on: server)
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("What an API's signature replaces authenticates nothing")
    func ignoresReplaced() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(ProxySetup(plain: upstream)) { proxy in
            let server = try await begin(Self.request("NTLM abc"), from: try await proxy.connect(), at: upstream)
            try await exchange(Self.anonymous, from: try await proxy.connect(), on: server)
        }
        await upstream.stop()
    }

    @Test("None is kept over a reload")
    func closesIdle() async throws {
        try await withKeptAuthorization { proxy, upstream, setup in
            let user = try await proxy.connect()
            let own = try await begin(Self.request("NTLM TlRMTVNTUAAB"), from: user, at: upstream)
            try await proxy.reload(setup)
            _ = try await own.end()
            _ = try await begin(Self.anonymous, from: user, at: upstream)
        }
    }

    @Test("One that its server ends is not used again")
    func isEnded() async throws {
        try await withKeptAuthorization { proxy, upstream, _ in
            let user = try await proxy.connect()
            let own = try await begin(Self.request("NTLM TlRMTVNTUAAB"), from: user, at: upstream)
            await own.close()
            _ = try await begin(Self.request("NTLM TlRMTVNTUAAB"), from: user, at: upstream)
        }
    }

    @Test("HTTP/2 authenticates nobody: such a request goes by HTTP/1.1")
    func avoidsHTTP2() async throws {
        var identity = try ServerIdentity(ServerIdentity.shared.get())
        identity.protocols = ["h2", "http/1.1"]
        let upstream = try await ScriptedUpstream.start(identity: identity)
        var setup = try ProxySetup(secure: upstream)
        setup.apis[0].existingAuthorization = .keep
        try await RunningProxy.with(setup) { proxy in
            let user = try await proxy.connect()
            let own = try await begin(Self.request("Negotiate YII="), from: user, at: upstream)
            try await exchange(Self.anonymous, from: user, on: own)
            let other = try await proxy.connect()
            try await other.send(Self.anonymous)
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            try await server.answer(server.accept())
            #expect(try await other.message().body == "ok")
        }
        await upstream.stop()
    }
}
