import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("As many requests in flight as may be", .generousLimit, .timed)
struct RequestLimitTests {
    /// A request that is refused, and the sentence that says why.
    private func refusal(
        _ proxy: RunningProxy,
        _ request: String = plainGet,
        from address: String = "127.0.0.1"
    ) async throws -> String {
        let client = try await Wire.connect(from: address, port: proxy.port)
        try await client.send(request)
        let answer = try await client.message()
        #expect(answer.status == 503)
        #expect(answer.proxyError == "connection_limit_reached")
        #expect(answer["Retry-After"] == "1")
        return answer.body
    }

    @Test("Requests of one address are counted together, and each that is answered makes room")
    func address() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.requestsPerClient = 2
            $0.isTwoLooped = true
        } _: { proxy, upstream in
            let first = try await RequestInFlight(proxy, upstream)
            let second = try await RequestInFlight(proxy, upstream)
            #expect(try await refusal(proxy).contains("limits.requests_per_client allows, 2"))
            let other = try await RequestInFlight(proxy, upstream, from: "127.0.0.2")
            try await first.answer()
            let third = try await RequestInFlight(proxy, upstream)
            #expect(try await refusal(proxy).contains("limits.requests_per_client"))
            for request in [second, third, other] { try await request.answer() }
        }
    }

    @Test("Requests of one client are counted together, wherever they come from")
    func client() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.requestsPerClient = 1
            $0.access = AccessPolicy(clients: ["one", "two"].map { Client(name: $0) { _ in true } })
        } _: { proxy, upstream in
            let one = RunningProxy.request(fields: "Proxy-Authorization: \(GatewayTests.basic("one:"))\n")
            let two = RunningProxy.request(fields: "Proxy-Authorization: \(GatewayTests.basic("two:"))\n")
            let first = try await RequestInFlight(proxy, upstream, one)
            let second = try await RequestInFlight(proxy, upstream, two)
            #expect(try await refusal(proxy, one, from: "127.0.0.2").contains("client one"))
            try await first.answer()
            try await second.answer()
        }
    }

    @Test("Requests to one API are counted together, whoever sends them")
    func api() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].requests = 1
        var other = setup.apis[0]
        (other.name, other.hosts, other.requests) = ("other", ["other.test"], nil)
        setup.apis.append(other)
        try await RunningProxy.with(setup) { proxy in
            let first = try await RequestInFlight(proxy, upstream)
            #expect(try await refusal(proxy, from: "127.0.0.2").contains("The API api"))
            let elsewhere = "GET http://other.test/ HTTP/1.1\nHost: other.test\n\n"
            let others = [
                try await RequestInFlight(proxy, upstream, elsewhere),
                try await RequestInFlight(proxy, upstream, elsewhere),
            ]
            for request in others { try await request.answer() }
            try await first.answer()
            try await RequestInFlight(proxy, upstream).answer()
        }
        await upstream.stop()
    }

    @Test("What is refused by the API's limit is not counted for its client")
    func both() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.limits.requestsPerClient = 2
            $0.apis[0].requests = 1
        } _: { proxy, upstream in
            let first = try await RequestInFlight(proxy, upstream)
            for _ in 0..<3 { #expect(try await refusal(proxy).contains("The API")) }
            try await first.answer()
            try await RequestInFlight(proxy, upstream).answer()
        }
    }

    @Test("However a request ends, it is counted no more")
    func ends() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.apis[0].requests = 1
        } _: { proxy, upstream in
            let aborted = try await RequestInFlight(proxy, upstream)
            try await aborted.client.reset()
            _ = try await aborted.server.rest()
            let broken = try await RequestInFlight(proxy, upstream)
            try await broken.server.reset()
            #expect(try await broken.client.message().status == 502)
            let upgrade = RunningProxy.request(fields: "Connection: Upgrade\nUpgrade: websocket\n")
            let tunnel = try await RequestInFlight(proxy, upstream, upgrade)
            let fields = "Connection: Upgrade\nUpgrade: websocket\n"
            try await tunnel.server.send("HTTP/1.1 101 Switching Protocols\n\(fields)\n")
            #expect(try await tunnel.client.head().status == 101)
            let large = "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 99999999\n"
            let form = "Content-Type: application/x-www-form-urlencoded\n\n"
            #expect(try await proxy.answer(to: large + form).status == 413)
            try await RequestInFlight(proxy, upstream).answer()
        }
    }

    @Test("What was in flight at a reload goes on counting")
    func reload() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = ProxySetup(plain: upstream)
        setup.apis[0].requests = 1
        setup.limits.requestsPerClient = 5
        try await RunningProxy.with(setup) { proxy in
            let first = try await RequestInFlight(proxy, upstream)
            try await proxy.reload(setup)
            #expect(try await refusal(proxy).contains("The API"))
            setup.apis[0].requests = 2
            try await proxy.reload(setup)
            let second = try await RequestInFlight(proxy, upstream)
            #expect(try await refusal(proxy).contains("The API"))
            try await first.answer()
            try await second.answer()
            try await RequestInFlight(proxy, upstream).answer()
        }
        await upstream.stop()
    }
}
