import HTTP1Codec
import HTTP2Codec
import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Responses whose heads come late", .generousLimit, .timed)
struct LongPollTests {
    private let limit = TimeAmount.seconds(5)
    private let slowGet = "GET http://other.test/ HTTP/1.1\nHost: other.test\n\n"

    /// One API that takes its time, and one that does not.
    private func setup(_ upstream: ScriptedUpstream) throws -> ProxySetup {
        var setup = try ProxySetup(secure: upstream)
        var slow = setup.apis[0]
        (slow.name, slow.hosts) = ("slow", ["other.test"])
        setup.apis.append(slow)
        return setup
    }

    private func with(
        _ configure: (inout ProxySetup) -> Void,
        _ body: (RunningProxy, ScriptedUpstream) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedUpstream.start(identity: ServerIdentity(ServerIdentity.shared.get()))
        var setup = try setup(upstream)
        configure(&setup)
        try await RunningProxy.with(setup) { try await body($0, upstream) }
        await upstream.stop()
    }

    /// Lets so much time pass that a request that begins now is over its limit, and its connection over that for idle
    /// ones.
    private func outlastLimits(_ proxy: RunningProxy, _ upstream: ScriptedUpstream) async throws {
        let other = try await proxy.connect()
        try await other.send(plainGet)
        let server = try await upstream.accept()
        _ = try await server.head()
        try await proxy.clock.expire(limit)
        let answer = try await other.message()
        #expect(answer.status == 504)
        #expect(answer.body.contains("apis.api.timeouts.response_header"))
        try await proxy.clock.expire(limit)
        _ = try await other.rest()
    }

    private func patient(_ setup: inout ProxySetup) {
        setup.timeouts.responseHeader = limit
        setup.timeouts.idle = limit
        setup.apis[1].responseHeaderTimeout = .minutes(10)
    }

    @Test("An API may have longer for its own, whatever idle says", arguments: ["", "HTTP/1.1 103 Early Hints\n\n"])
    func waitsLonger(announcement: String) async throws {
        try await with(patient) { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(slowGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            if !announcement.isEmpty {
                try await server.send(announcement)
                #expect(try await client.head().status == 103)
            }
            try await outlastLimits(proxy, upstream)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            #expect(try await client.message().body == "ok")
        }
    }

    @Test("The same by HTTP/2")
    func waitsLongerByHTTP2() async throws {
        try await with(patient) { proxy, upstream in
            let wire = try await proxy.intercept("other.test:443", protocols: ["h2"])
            let client = HTTP2Peer(wire, role: .client)
            let id = try await client.request(authority: "other.test")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await outlastLimits(proxy, upstream)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            #expect(try await client.head(of: id).status == 200)
            #expect(try await client.body(of: id) == "ok")
        }
    }

    @Test("The time does not begin before the request has been sent")
    func beginsWhenSent() async throws {
        try await RunningProxy.withSecureUpstream(identity: ServerIdentity.speakingHTTP2()) {
            $0.timeouts.responseHeader = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            let form = "a=" + String(repeating: "x", count: 200_000)
            try await client.send(
                """
                POST http://api.test/ HTTP/1.1
                Host: api.test
                Content-Type: application/x-www-form-urlencoded
                Content-Length: \(form.utf8.count)

                \(form)
                """
            )
            let server = HTTP2Peer(try await upstream.accept(), role: .server)
            let slow = try await server.accept()
            let other = try await proxy.connect()
            try await other.send(plainGet)
            _ = try await server.accept()
            try await proxy.clock.expire(limit)
            #expect(try await other.message().status == 504)
            // What was passed over until here, as much as the window was for.
            server.connection.consumed(slow, bytes: 65_535)
            _ = try await server.body(of: slow)
            try await server.answer(slow)
            #expect(try await client.message().body == "ok")
        }
    }

    @Test("An API may have less for its own")
    func waitsLess() async throws {
        try await with {
            $0.apis[1].responseHeaderTimeout = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(slowGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await proxy.clock.expire(limit)
            let answer = try await client.message()
            #expect(answer.status == 504)
            #expect(answer.body.contains("apis.slow.timeouts.response_header"))
        }
    }
}
