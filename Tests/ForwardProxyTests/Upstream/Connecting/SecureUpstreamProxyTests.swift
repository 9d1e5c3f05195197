import Bytes
import Credentials
import Foundation
import NIOCore
import NIOSSL
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("Upstreams that are reached through a proxy that is spoken to by TLS", .generousLimit, .timed)
struct SecureUpstreamProxyTests {
    private static let certificates = Result { try ProviderCertificates(dnsNames: ["localhost"], now: Date()) }

    private func with(
        identity: ServerIdentity? = nil,
        trust: TrustRoots? = nil,
        _ configure: (inout ProxySetup) throws -> Void = { _ in },
        _ body: (RunningProxy, _ other: ScriptedUpstream) async throws -> Void
    ) async throws {
        let certificates = try Self.certificates.get()
        let other = try await ScriptedUpstream.start(identity: identity ?? ServerIdentity(certificates))
        try await with(other, trust ?? .certificates([certificates.root]), configure, body)
    }

    private func with(
        _ other: ScriptedUpstream,
        _ trust: TrustRoots,
        _ configure: (inout ProxySetup) throws -> Void,
        _ body: (RunningProxy, _ other: ScriptedUpstream) async throws -> Void
    ) async throws {
        var setup = try ProxySetup(secure: other)
        setup.apis[0].upstreamProxy = UpstreamProxy(
            host: "localhost",
            port: other.port,
            trust: trust,
            username: "paraph",
            password: Secret("hidden:pass")
        )
        // Nothing but the other proxy is connected to.
        setup.apis[0].port = 1
        try configure(&setup)
        try await RunningProxy.with(setup) { try await body($0, other) }
        await other.stop()
    }

    /// Opens the tunnel and has TLS spoken in it.
    private func open(_ wire: Wire) async throws {
        _ = try await wire.head()
        try await wire.send("HTTP/1.1 200 OK\n\n", thenServeInside: ServerIdentity(ServerIdentity.shared.get()))
    }

    @Test("CONNECT and credentials go through the proxy's TLS, the API's own TLS and pins hold within it")
    func tunnels() async throws {
        try await with { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.shared.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        } _: { proxy, other in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let wire = try await other.accept()
            let connect = try await wire.head()
            #expect(connect.startLine == "CONNECT 127.0.0.1:1 HTTP/1.1")
            #expect(connect["Proxy-Authorization"] == "Basic cGFyYXBoOmhpZGRlbjpwYXNz")
            let identity = try ServerIdentity(ServerIdentity.shared.get())
            try await wire.send("HTTP/1.1 200 OK\n\n", thenServeInside: identity)
            for _ in 0..<2 {
                _ = try verify(try await wire.head(), scheme: .https)
                try await wire.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
                #expect(try await client.message().body == "ok")
                try await client.send(plainGet)
            }
            #expect(other.connectionCount == 1)
        }
    }

    @Test("A chain that has no pin is refused in there as well, and nothing of the request goes out")
    func refusesWrongPin() async throws {
        try await with { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        } _: { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            try await open(wire)
            let message = try await answer
            #expect(message.proxyError == "tls_certificate_error")
            #expect(!message.body.contains("upstream proxy"))
            #expect(try await wire.rest().received.isEmpty)
        }
    }

    @Test("A proxy whose certificate leads to no trusted root, or is for another name, is told nothing")
    func refusesProxy() async throws {
        let stranger = try ServerIdentity.shared.get()
        for (trust, words) in [
            (TrustRoots.certificates([try Self.certificates.get().root]), "upstream_proxy.trust"),
            (.certificates([stranger.root]), "it is for api.test, other.test, and localhost is wanted"),
        ] {
            try await with(identity: ServerIdentity(stranger), trust: trust) { proxy, other in
                let answer = try await proxy.answer(to: plainGet)
                #expect(answer.status == 502)
                #expect(answer.proxyError == "tls_certificate_error")
                #expect(answer.body.contains("upstream proxy localhost:\(other.port)"))
                #expect(answer.body.contains(words))
                #expect(other.receivedBytes == 0)
            }
        }
    }

    @Test("A proxy that does not speak TLS on its port is told by its name")
    func tellsClearText() async throws {
        try await with(try await ScriptedUpstream.start(), .system) { _ in
        } _: { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            try await wire.received(atLeast: 1)
            try await wire.send("HTTP/1.1 400 Bad Request\nConnection: close\n\n")
            let message = try await answer
            #expect(message.status == 502)
            #expect(message.proxyError == "tls_protocol_error")
            #expect(message.body.contains("upstream proxy localhost:\(other.port) failed: "))
            #expect(message.body.contains("write upstream_proxy with http://"))
        }
    }

    @Test("One that closes, or falls silent, in the handshake is told as well", arguments: [false, true])
    func tellsSilence(closes: Bool) async throws {
        try await with(try await ScriptedUpstream.start(), .system) {
            $0.timeouts.handshake = .seconds(5)
        } _: { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            // The beginning of the handshake.
            try await wire.received(atLeast: 1)
            if closes { await wire.close() } else { try await proxy.clock.expire(.seconds(5)) }
            let message = try await answer
            #expect(message.status == (closes ? 502 : 504))
            #expect(message.proxyError == (closes ? "tls_protocol_error" : "connection_timeout"))
            #expect(message.body.contains("upstream proxy localhost:\(other.port)"))
        }
    }

    @Test("Its refusal of a tunnel is told as ever")
    func tellsRefusal() async throws {
        try await with { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            _ = try await wire.head()
            try await wire.send("HTTP/1.1 407 No\nContent-Length: 0\n\n")
            let message = try await answer
            #expect(message.proxyError == "connection_refused")
            #expect(message.body.contains("upstream_proxy.password"))
        }
    }

    // MARK: Ends

    @Test(
        "A response without a length is whole only if the API's own TLS says so, whatever the proxy's does",
        arguments: [true, false]
    )
    func cutsUnannouncedEnd(proxyAnnounces: Bool) async throws {
        try await with { proxy, other in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let wire = try await other.accept()
            try await open(wire)
            _ = try await wire.head()
            try await wire.send("HTTP/1.1 200 OK\n\nabc")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(8) == "3\r\nabc\r\n")
            if proxyAnnounces { try await wire.endTunnel() } else { try await wire.endWithoutNotice() }
            #expect(try await client.end() == .cut)
        }
    }

    @Test("An end that the API's own TLS announces makes it whole, and the connection ends without waiting for anybody")
    func takesAnnouncedEnd() async throws {
        try await with { proxy, other in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let wire = try await other.accept()
            try await open(wire)
            _ = try await wire.head()
            try await wire.send("HTTP/1.1 200 OK\n\nabc")
            try await wire.finishSending()
            #expect(try await client.message().body == "abc")
            _ = try await wire.end()
            try await wire.channel.closeFuture.get()
        }
    }

    @Test("A response of a known length is whole however the tunnel ends")
    func toleratesUnannouncedEnd() async throws {
        try await with { proxy, other in
            async let answer = proxy.answer(to: plainGet)
            let wire = try await other.accept()
            try await open(wire)
            _ = try await wire.head()
            try await wire.send("HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close\n\nabc")
            try await wire.endTunnel()
            #expect(try await answer.body == "abc")
        }
    }

    // MARK: Hosts of no API

    @Test("A blind tunnel leads through it, early bytes, half-close and end included")
    func tunnelsBlindly() async throws {
        try await with { setup in
            setup.access = AccessPolicy(connectPorts: [443])
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            let (client, wire) = try await proxy.openBlindTunnel(through: other)
            try await wire.send(String(repeating: "x", count: 100_000))
            try await wire.endWithoutNotice()
            // What is within has an end of its own; the last bytes are not lost for the want of another.
            let (received, end) = try await client.rest()
            #expect(received.utf8.count == 100_000)
            #expect(end == .clean)
        }
    }

    @Test("A plain response that only the end delimits is cut when the proxy's TLS does not announce the end")
    func cutsPlainResponse() async throws {
        try await with { setup in
            setup.upstreamProxy = setup.apis[0].upstreamProxy
        } _: { proxy, other in
            for isAnnounced in [true, false] {
                let client = try await proxy.connect()
                try await client.send("GET http://plain.test/ HTTP/1.1\nHost: plain.test\n\n")
                let wire = try await other.accept()
                #expect(try await wire.head().startLine == "CONNECT plain.test:80 HTTP/1.1")
                try await wire.send("HTTP/1.1 200 OK\n\n")
                #expect(try await wire.head().startLine == "GET / HTTP/1.1")
                try await wire.send("HTTP/1.1 200 OK\n\nabc")
                #expect(try await client.head().status == 200)
                #expect(try await client.bytes(8) == "3\r\nabc\r\n")
                if isAnnounced {
                    await wire.close()
                    #expect(try await client.bytes(5) == "0\r\n\r\n")
                } else {
                    try await wire.endWithoutNotice()
                    #expect(try await client.end() == .cut)
                }
            }
        }
    }
}
