import NIOCore
import NIOPosix
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Gateways when the configuration is reloaded", .generousLimit, .timed)
struct GatewayReloadTests {
    /// That of no other test, so that every port is free there.
    private static let host = "127.0.9.1"

    private func exchange(_ client: Wire, _ upstream: ScriptedUpstream, host: String = "api.test") async throws {
        try await client.send("GET / HTTP/1.1\nHost: 127.0.0.1\n\n")
        let server = try await upstream.accept()
        #expect(try await server.head()["Host"] == host)
        try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\nConnection: close\n\nok")
        #expect(try await client.message().status == 200)
    }

    @Test("One that is added listens, and is served at once")
    func adds() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            var setup = try ProxySetup(secure: upstream)
            setup.apis[0].gateway = GatewaySettings()
            try await proxy.reload(setup)
            try await exchange(try await proxy.connectToGateway(), upstream)
            #expect(proxy.log.text.contains("listening"))
            #expect(proxy.log.text.contains("gateway"))
        }
    }

    @Test("One that is taken away listens no more, and its idle connections are closed")
    func removes() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let port = try proxy.gatewayPort()
            let client = try await proxy.connectToGateway()
            try await exchange(client, upstream)
            try await proxy.reload(ProxySetup(secure: upstream))
            #expect(try await client.rest().received.isEmpty)
            await Wire.awaitRefusal(port: port)
        }
    }

    @Test("A request in flight at one that is taken away is finished, and the next one is told")
    func finishes() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: 127.0.0.1\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.reload(ProxySetup(secure: upstream))
            try await client.send("GET / HTTP/1.1\nHost: 127.0.0.1\n\n")
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            #expect(try await client.message().status == 200)
            let answer = try await client.message()
            #expect(answer.status == 421)
            #expect(answer["Connection"] == "close")
            #expect(answer.body.contains("gateway"))
        }
    }

    @Test("Its connections go on where it stays, by the API's new name and first host")
    func renames() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            // A port that is known, since the gateway is to be found by it.
            var setup = try ProxySetup(secure: upstream)
            let port = try proxy.gatewayPort()
            setup.apis[0].gateway = GatewaySettings(address: ListenAddress(host: Self.host, port: port))
            try await proxy.reload(setup)
            let client = try await Wire.connect(host: Self.host, port: port)
            try await exchange(client, upstream)
            setup.apis[0].name = "renamed"
            setup.apis[0].hosts = ["other.test", "api.test"]
            try await proxy.reload(setup)
            #expect(try proxy.gatewayPort(of: "renamed") == port)
            try await exchange(client, upstream, host: "other.test")
        }
    }

    @Test("When one address cannot be had, everything stays, and nothing new listens")
    func refusesAsAWhole() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            let takenPort = try #require(taken.localAddress?.port)
            let port = try proxy.gatewayPort()
            var setup = try ProxySetup(secure: upstream)
            setup.apis[0].gateway = GatewaySettings(address: ListenAddress(host: Self.host, port: port))
            var second = setup.apis[0]
            second.name = "second"
            second.hosts = ["other.test"]
            second.gateway = GatewaySettings(address: ListenAddress(host: "127.0.0.1", port: takenPort))
            setup.apis.append(second)
            let failure = await #expect(throws: ListenFailure.self) { try await proxy.reload(setup) }
            #expect(failure?.api == "second")
            #expect(failure?.address.port == takenPort)
            #expect(try proxy.gatewayPort() == port)
            await Wire.awaitRefusal(host: Self.host, port: port)
            try await exchange(try await proxy.connectToGateway(), upstream)
            try await taken.close()
        }
    }

    @Test("When an address cannot be had at the start, nothing listens")
    func startsAsAWhole() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].gateway = GatewaySettings(address: ListenAddress(host: "127.0.0.1", port: upstream.port))
        let failure = await #expect(throws: ListenFailure.self) { try await RunningProxy.with(setup) { _ in } }
        #expect(failure?.api == "api")
        await upstream.stop()
    }

    @Test("A proxy that stops closes them, once the requests in flight are finished")
    func drains() async throws {
        try await RunningProxy.withGateway {
            $0.timeouts.drain = .minutes(10)
        } _: { proxy, upstream in
            let port = try proxy.gatewayPort()
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: 127.0.0.1\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            await proxy.drain()
            await Wire.awaitRefusal(port: port)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            let response = try await client.message()
            #expect(response.status == 200)
            #expect(try await client.rest().received.isEmpty)
        }
    }
}
