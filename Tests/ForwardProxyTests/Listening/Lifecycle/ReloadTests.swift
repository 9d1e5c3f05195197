import Credentials
import HTTP1Codec
import HTTP2Codec
import NIOCore
import OAuthSigning
import ProviderSimulator
import Routing
import Settings
import Synchronization
import TestSupport
import Testing
import UpstreamTrust

@testable import ForwardProxy

@Suite("A configuration that is reloaded", .generousLimit, .timed)
struct ReloadTests {
    private static let answer = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"

    /// The same setup with another token.
    private func withToken(_ token: String, _ setup: ProxySetup) -> ProxySetup {
        var setup = setup
        let credentials = TokenCredentials(token: token, secret: Secret("hidden-other"))
        setup.apis[0].accounts = [AccountSettings(name: "default", source: .issued(credentials))]
        return setup
    }

    @Test("A request in flight keeps what it started with, and the next on its connection does not")
    func keepsRequestsInFlight() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = ProxySetup(plain: upstream)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            #expect(try await server.head()["Authorization"]?.contains(#"oauth_token="account-token""#) == true)
            try await proxy.reload(withToken("reloaded", setup))
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
            try await client.send(plainGet)
            let next = try await upstream.accept()
            #expect(try await next.head()["Authorization"]?.contains(#"oauth_token="reloaded""#) == true)
            try await next.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
        await upstream.stop()
    }

    @Test("A request whose body is still coming is finished under the configuration that it began with")
    func keepsUploads() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = ProxySetup(plain: upstream)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 8\n\nhalf")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.reload(withToken("reloaded", setup))
            try await client.send("more")
            let body = try await server.bytes(8)
            #expect(body == "halfmore")
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
        await upstream.stop()
    }

    @Test("An intercepted connection goes on when its host is still an API's")
    func keepsInterceptedConnection() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = ProxySetup(plain: upstream)
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.intercept()
            try await proxy.reload(withToken("reloaded", setup))
            try await client.send("GET / HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            #expect(try await server.head()["Authorization"]?.contains(#"oauth_token="reloaded""#) == true)
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
        }
        await upstream.stop()
    }

    /// An intercepted connection that has carried a request. The client's part of the handshake alone may be over
    /// before the proxy's is, and what ends within a handshake ends without notice.
    private func idleInterception(_ proxy: RunningProxy, fields: String = "") async throws -> Wire {
        let client = try await proxy.intercept(fields: fields)
        try await client.send("TRACE / HTTP/1.1\nHost: api.test\n\n")
        #expect(try await client.message().status == 501)
        return client
    }

    @Test("An idle intercepted connection to a host that is no API's any more is closed")
    func closesStaleInterception() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await idleInterception(proxy)
            var setup = ProxySetup(plain: upstream)
            setup.apis[0].hosts = ["other.test"]
            try await proxy.reload(setup)
            let rest = try await client.rest()
            #expect(rest.received.isEmpty)
            #expect(rest.end == .clean)
        }
    }

    @Test("A request that a client began before such a reload gets 421, and nothing of it goes out")
    func refusesStaleInterception() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send("GET / HTTP/1.1\nHost: ap")
            // The proxy has it when it has answered a later connection on the same event loop.
            _ = try await proxy.answer(to: "GET / HTTP/1.1\nHost: paraph\n\n")
            var setup = ProxySetup(plain: upstream)
            setup.apis[0].hosts = ["other.test"]
            try await proxy.reload(setup)
            try await client.send("i.test\n\n")
            let answer = try await client.message()
            #expect(answer.status == 421)
            #expect(answer.body.contains("reloaded"))
            #expect(upstream.connectionCount == 0)
        }
    }

    @Test("A client whose password is no longer taken is cut off")
    func endsAuthorizedConnections() async throws {
        func client(_ password: String) -> Client {
            Client(name: "one") { bytes in bytes.count == password.utf8.count && bytes[0] == password.utf8.first }
        }
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.access = AccessPolicy(clients: [client("old")])
        try await RunningProxy.with(setup) { proxy in
            let wire = try await idleInterception(proxy, fields: "Proxy-Authorization: Basic b25lOm9sZA==\n")
            setup.access = AccessPolicy(clients: [client("new")])
            try await proxy.reload(setup)
            let rest = try await wire.rest()
            #expect(rest.received.isEmpty)
            #expect(rest.end == .clean)
        }
        await upstream.stop()
    }

    @Test("An idle upstream connection is used on when its chain passes by the new policy")
    func keepsUpstreamConnections() async throws {
        try await expectConnections(1) { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.shared.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
        }
    }

    @Test("An idle upstream connection is closed when its chain no longer passes")
    func closesUpstreamConnections() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let server = try await exchange(proxy, upstream)
            var setup = try ProxySetup(secure: upstream)
            let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
            setup.apis[0].tls.pinning = [HostPinning(policy: PinningPolicy(mode: .publicKey, pins: [pin]))]
            try await proxy.reload(setup)
            async let _ = Self.answerNext(server)
            let answer = try await proxy.answer(to: plainGet)
            #expect(answer.proxyError == "tls_certificate_error")
            #expect(try await server.end() == .clean)
        }
    }

    @Test("An idle upstream connection is not used for an API that would connect elsewhere")
    func closesConnectionsElsewhere() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let server = try await exchange(proxy, upstream)
            var setup = try ProxySetup(secure: upstream)
            setup.apis[0].tls.minimumVersion = .tls13
            try await proxy.reload(setup)
            async let _ = Self.answerNext(server)
            async let _ = Self.answerNext(try await upstream.accept())
            #expect(try await proxy.answer(to: plainGet).status == 200)
            #expect(upstream.connectionCount == 2)
            #expect(try await server.end() == .clean)
        }
    }

    /// One request over TLS; returns the upstream's end of its connection, idle by then.
    private func exchange(_ proxy: RunningProxy, _ upstream: ScriptedUpstream) async throws -> Wire {
        async let answer = proxy.answer(to: plainGet)
        let server = try await upstream.accept()
        _ = try await server.head()
        try await server.send(Self.answer)
        #expect(try await answer.status == 200)
        return server
    }

    /// Answers a request that may come.
    private static func answerNext(_ server: Wire) async throws {
        _ = try await server.head()
        try await server.send(answer)
    }

    /// Two requests with a reload between them, and how many upstream connections they take.
    private func expectConnections(
        _ count: Int,
        _ configure: (inout ProxySetup) throws -> Void,
        afterwards: (RunningProxy) throws -> Void = { _ in }
    ) async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let server = try await exchange(proxy, upstream)
            var setup = try ProxySetup(secure: upstream)
            try configure(&setup)
            try await proxy.reload(setup)
            async let answer = proxy.answer(to: plainGet)
            _ = try await server.head()
            try await server.send(Self.answer)
            #expect(try await answer.status == 200)
            #expect(upstream.connectionCount == count)
            try afterwards(proxy)
        }
    }

    @Test("An idle upstream connection is closed when its address may not be connected to any more")
    func closesDeniedConnections() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let server = try await exchange(proxy, upstream)
            var setup = try ProxySetup(secure: upstream)
            let denied = try IPNetwork("127.0.0.0/8")
            setup.access = AccessPolicy(networks: NetworkPolicy(denied: [denied]))
            try await proxy.reload(setup)
            async let _ = Self.answerNext(server)
            #expect(try await proxy.answer(to: plainGet).proxyError == "destination_ip_prohibited")
            #expect(try await server.end() == .clean)
        }
    }

    @Test("What a new policy only reports is told of the connections that are kept, too")
    func reportsKeptConnections() async throws {
        try await expectConnections(1) { setup in
            let pin = try Pin.publicKey(of: ServerIdentity.foreign.get().leaf)
            let policy = PinningPolicy(mode: .publicKey, pins: [pin], onFailure: .report)
            setup.apis[0].tls.pinning = [HostPinning(policy: policy)]
        } afterwards: { proxy in
            #expect(proxy.server.trustFailures.map(\.isReported) == [true])
            #expect(proxy.log.text.contains("is used all the same"))
        }
    }

    @Test("An address that cannot be listened on leaves everything as it was")
    func changesNothingOnFailure() async throws {
        let upstream = try await ScriptedUpstream.start()
        let setup = ProxySetup(plain: upstream)
        try await RunningProxy.with(setup) { proxy in
            var settings = try withToken("reloaded", setup).settings()
            settings.address.port = upstream.port
            await #expect(throws: ListenFailure.self) {
                try await proxy.reload(settings)
            }
            async let answer = proxy.answer(to: plainGet)
            let server = try await upstream.accept()
            #expect(try await server.head()["Authorization"]?.contains(#"oauth_token="account-token""#) == true)
            try await server.send(Self.answer)
            #expect(try await answer.status == 200)
        }
        await upstream.stop()
    }

    @Test("Another address is listened on, and the old one no more")
    func movesListener() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            var settings = try ProxySetup(plain: upstream).settings()
            settings.address.host = "127.0.0.2"
            try await proxy.reload(settings)
            let port = try #require(proxy.server.address()?.port)
            let client = try await Wire.connect(host: "127.0.0.2", port: port)
            try await client.send("GET / HTTP/1.1\nHost: paraph\n\n")
            #expect(try await client.message().status == 400)
            await Wire.awaitRefusal(port: proxy.port)
        }
    }

    @Test("An exchange under way serves the accounts of the new configuration as well")
    func sharesExchanges() async throws {
        let upstream = try await ScriptedUpstream.start()
        try await RunningProxy.with(.passwordGrant(port: upstream.port)) { proxy in
            async let first = proxy.get()
            let token = try await upstream.accept()
            _ = try await token.message()
            try await proxy.reload(.passwordGrant(port: upstream.port))
            async let second = proxy.get()
            let keeper = proxy.server.generation.keeper
            while keeper.waitingCount == 0, !Task.isCancelled { await Task.yield() }
            let body = #"{"access_token":"hidden-access","token_type":"Bearer","expires_in":3600}"#
            try await token.send(ScriptedProvider.answer("200 OK", body))
            for _ in 0..<2 {
                let resource = try await upstream.accept()
                let request = try await resource.head()
                #expect(request.target == "/", "\(proxy.log.text)")
                #expect(request["Authorization"] == "Bearer hidden-access")
                try await resource.send(Self.answer)
            }
            #expect(try await first.status == 200)
            #expect(try await second.status == 200)
        }
        await upstream.stop()
    }

    @Test("Nothing of a configuration stays when its last request is over")
    func forgetsOldConfiguration() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            let old = WeakGeneration(proxy.server.generation)
            try await proxy.reload(ProxySetup(plain: upstream))
            try await server.send(Self.answer)
            #expect(try await client.message().status == 200)
            #expect(try await old.isForgotten(by: proxy))
        }
    }

    @Test("A client with an open intercepted connection has the rights of the new configuration")
    func changesRights() async throws {
        func client(_ accounts: Set<String>?) -> Client {
            Client(name: "one", accounts: accounts) { $0.count == 3 }
        }
        for version in ["http/1.1", "h2"] {
            let upstream = try await ScriptedUpstream.start()
            var setup = ProxySetup(plain: upstream)
            setup.access = AccessPolicy(clients: [client(nil)])
            try await RunningProxy.with(setup) { proxy in
                let wire = try await proxy.intercept(
                    fields: "Proxy-Authorization: Basic b25lOm9sZA==\n",
                    protocols: [version]
                )
                setup.access = AccessPolicy(clients: [client(["other"])])
                try await proxy.reload(setup)
                async let _ = upstream.answerNext()
                if version == "h2" {
                    let peer = HTTP2Peer(wire, role: .client)
                    let id = try await peer.request()
                    #expect(try await peer.head(of: id).status == 403)
                } else {
                    try await wire.send("GET / HTTP/1.1\nHost: api.test\n\n")
                    #expect(try await wire.message().status == 403)
                }
                #expect(upstream.connectionCount == 0)
            }
            await upstream.stop()
        }
    }

    @Test("A request on an open intercepted connection goes where the new configuration says")
    func changesUpstream() async throws {
        let (old, new) = (try await ScriptedUpstream.start(), try await ScriptedUpstream.start())
        try await RunningProxy.with(ProxySetup(plain: old)) { proxy in
            let client = try await proxy.intercept()
            try await proxy.reload(ProxySetup(plain: new))
            async let _ = old.answerNext()
            async let _ = new.answerNext()
            try await client.send("GET / HTTP/1.1\nHost: api.test\n\n")
            #expect(try await client.message().status == 200)
            #expect(old.connectionCount == 0)
            #expect(new.connectionCount == 1)
        }
        await old.stop()
        await new.stop()
    }
}
