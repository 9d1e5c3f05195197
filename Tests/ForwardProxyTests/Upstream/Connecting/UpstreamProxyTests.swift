import Bytes
import Credentials
import NIOCore
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Upstreams that are reached through another proxy", .generousLimit, .timed)
struct UpstreamProxyTests {
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"

    private func with(
        username: String? = nil,
        identity: ServerIdentity? = nil,
        _ configure: (inout ProxySetup) throws -> Void = { _ in },
        _ body: (RunningProxy, _ other: ScriptedUpstream) async throws -> Void
    ) async throws {
        let other = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: other)
        setup.apis[0].upstreamProxy = UpstreamProxy(
            host: "127.0.0.1",
            port: other.port,
            username: username,
            password: username.map { _ in Secret("hidden:pass") }
        )
        // Nothing but the other proxy is connected to.
        setup.apis[0].port = 1
        try configure(&setup)
        try await RunningProxy.with(setup) { try await body($0, other) }
        await other.stop()
    }

    @Test("The tunnel is asked for by CONNECT, with the credentials, and TLS and pins hold within it")
    func tunnels() async throws {
        try await with(username: "paraph") { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.shared.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        } _: { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            let connect = try await wire.head()
            #expect(connect.startLine == "CONNECT 127.0.0.1:1 HTTP/1.1")
            #expect(connect["Host"] == "127.0.0.1:1")
            #expect(connect["Proxy-Authorization"] == "Basic cGFyYXBoOmhpZGRlbjpwYXNz")
            #expect(connect["Authorization"] == nil)
            let identity = try ServerIdentity(ServerIdentity.shared.get())
            try await wire.send("HTTP/1.1 200 Connection established\nX-Other: 1\n\n", thenServe: identity)
            _ = try verify(try await wire.head(), scheme: .https)
            try await wire.send(Self.answer)
            #expect(try await answer.status == 200)
        }
    }

    @Test("A chain that has no pin is refused there as well, and nothing of the request goes out")
    func refusesWrongPin() async throws {
        try await with { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        } _: { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            _ = try await wire.head()
            let identity = try ServerIdentity(ServerIdentity.shared.get())
            try await wire.send("HTTP/1.1 200 OK\n\n", thenServe: identity)
            #expect(try await answer.proxyError == "tls_certificate_error")
            #expect(try await wire.rest().received.isEmpty)
        }
    }

    @Test(
        "A refusal of the other proxy's is told, with what to do",
        arguments: [(407, "upstream_proxy.username"), (403, "rules"), (502, "log")]
    )
    func tellsRefusal(status: Int, advice: String) async throws {
        try await with { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            _ = try await wire.head()
            try await wire.send("HTTP/1.1 \(status) No\nContent-Length: 3\nProxy-Authenticate: Basic\n\nno!")
            let message = try await answer
            #expect(message.status == 502)
            #expect(message.proxyError == "connection_refused")
            #expect(message.body.contains("\(status)"))
            #expect(message.body.contains(advice))
        }
    }

    @Test("What is no answer, or none at all, is told", arguments: ["SSH-2.0-OpenSSH\n", ""])
    func tellsNonsense(answer words: String) async throws {
        try await with { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            _ = try await wire.head()
            if words.isEmpty { await wire.close() } else { try await wire.send(words) }
            let message = try await answer
            #expect(message.status == 502)
            #expect(message.body.contains("upstream proxy"))
        }
    }

    @Test("A proxy that does not answer in time is given up")
    func givesUp() async throws {
        try await with {
            $0.timeouts.connect = .seconds(5)
        } _: { proxy, other in
            async let message = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            _ = try await wire.head()
            try await proxy.clock.expire(.seconds(5))
            let answer = try await message
            #expect(answer.status == 504)
            #expect(answer.proxyError == "connection_timeout")
        }
    }

    @Test("One that cannot be connected to is told by its own name")
    func tellsUnreachable() async throws {
        try await UnusedPort.with { port in
            try await with {
                $0.apis[0].upstreamProxy = UpstreamProxy(host: "127.0.0.1", port: port)
            } _: { proxy, _ in
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == 502)
                #expect(answer.body.contains("127.0.0.1:\(port)"))
                #expect(answer.body.contains("upstream_proxy"))
            }
        }
    }

    /// Answers a CONNECT that may come.
    private static func takeConnect(_ other: ScriptedUpstream) async throws {
        let wire = try await other.accept()
        _ = try await wire.head()
        try await wire.send("HTTP/1.1 200 Connection established\n\n")
    }

    @Test("A denied address is not asked for through another proxy either")
    func refusesDeniedAddress() async throws {
        try await with { setup in
            setup.access = AccessPolicy(connectPorts: [443])
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            async let _ = Self.takeConnect(other)
            let answer = try await proxy.answer(
                to: "CONNECT 169.254.169.254:443 HTTP/1.1\nHost: 169.254.169.254:443\n\n"
            )
            #expect(answer.status == 403)
            #expect(answer.proxyError == "destination_ip_prohibited")
            #expect(other.connectionCount == 0)
        }
    }

    /// Access for one client that is listed, with the fields that it sends.
    private static func listing(denied: [String] = []) throws -> (access: AccessPolicy, fields: String) {
        let networks = NetworkPolicy(denied: try denied.map { try IPNetwork($0) })
        let access = AccessPolicy(clients: [Client(name: "c") { _ in true }], networks: networks)
        return (access, "Proxy-Authorization: Basic Yzpw\n\n")
    }

    @Test("Clients that are listed use one on this machine for hosts of no API, and reach nothing there themselves")
    func servesListedClients() async throws {
        let (access, fields) = try Self.listing()
        try await with { setup in
            setup.access = access
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            async let answer = proxy.answer(to: "GET http://203.0.113.5/ HTTP/1.1\nHost: 203.0.113.5\n\(fields)")
            let plain = try await other.accept()
            #expect(try await plain.head().startLine == "CONNECT 203.0.113.5:80 HTTP/1.1")
            try await plain.send("HTTP/1.1 200 OK\n\n")
            _ = try await plain.head()
            try await plain.send(Self.answer)
            #expect(try await answer.status == 200)

            let client = try await proxy.connect()
            try await client.send("CONNECT blind.test:443 HTTP/1.1\nHost: blind.test:443\n\(fields)")
            let blind = try await other.accept()
            #expect(try await blind.head().startLine == "CONNECT blind.test:443 HTTP/1.1")
            try await blind.send("HTTP/1.1 200 OK\n\n")
            #expect(try await client.head().status == 200)

            for request in ["CONNECT 127.0.0.1:443", "GET http://127.0.0.1/", "GET http://localhost/"] {
                let refused = try await proxy.answer(to: "\(request) HTTP/1.1\nHost: 127.0.0.1\n\(fields)")
                #expect(refused.status == 403, "\(request)")
                #expect(refused.body.contains("access.allowed_networks"))
            }
            #expect(other.connectionCount == 2)
        }
    }

    @Test("One at an address that is denied is not connected to for them either")
    func refusesDeniedProxy() async throws {
        let (access, fields) = try Self.listing(denied: ["127.0.0.0/8"])
        try await with { setup in
            setup.access = access
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            let answer = try await proxy.answer(to: "GET http://203.0.113.5/ HTTP/1.1\nHost: 203.0.113.5\n\(fields)")
            #expect(answer.status == 502)
            #expect(answer.body.contains("access.denied_networks"))
            #expect(other.connectionCount == 0)
        }
    }

    @Test("A blind tunnel leads through it, early bytes of either side included")
    func tunnelsBlindly() async throws {
        try await with { setup in
            setup.access = AccessPolicy(connectPorts: [443])
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            _ = try await proxy.openBlindTunnel(through: other)
        }
    }

    @Test("A plain request to a host of no API goes through it in a tunnel of its own")
    func forwardsPlainRequests() async throws {
        try await with { setup in
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            async let answer = proxy.answer(to: "GET http://plain.test/ HTTP/1.1\nHost: plain.test\n\n")
            let wire = try await other.accept()
            #expect(try await wire.head().startLine == "CONNECT plain.test:80 HTTP/1.1")
            try await wire.send("HTTP/1.1 200 OK\n\n")
            #expect(try await wire.head().startLine == "GET / HTTP/1.1")
            try await wire.send(Self.answer)
            #expect(try await answer.status == 200)
        }
    }

    @Test("localhost is asked for through it no more than 127.0.0.1 is", arguments: ["localhost", "127.0.0.1"])
    func refusesLocalhost(host: String) async throws {
        let other = try await ScriptedUpstream.start()
        var setup = ProxySetup(apis: [])
        setup.upstreamProxy = UpstreamProxy(host: "127.0.0.1", port: other.port)
        try await RunningProxy.with(setup) { proxy in
            // The other proxy may be on this machine: it would lead back here.
            setup.access = AccessPolicy(connectPorts: [proxy.port])
            try await proxy.reload(setup)
            async let _ = other.answerNext()
            let authority = "\(host):\(proxy.port)"
            let answer = try await proxy.answer(to: "CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\n")
            #expect(answer.status == 403)
            #expect(answer.proxyError == "destination_ip_prohibited")
            #expect(other.connectionCount == 0)
        }
        await other.stop()
    }
}
