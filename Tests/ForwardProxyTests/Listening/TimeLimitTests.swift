import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Time limits", .generousLimit, .timed)
struct TimeLimitTests {
    private let limit = TimeAmount.seconds(5)

    @Test("A head that does not come to its end is answered")
    func limitsHead() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.requestHeader = limit
        } _: { proxy, _ in
            let slow = try await proxy.connect()
            try await slow.send("GET http://api.test/ HTTP/1.1\nHost: ")
            try await proxy.hasBegunHead()
            try await proxy.clock.expire(limit)
            #expect(try await slow.message().status == 408)
            #expect(try await slow.end() == .clean)
        }
    }

    @Test("A connection on which no head begins is closed")
    func limitsSilence() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.requestHeader = limit
        } _: { proxy, _ in
            let silent = try await proxy.connect()
            try await proxy.clock.expire(limit)
            #expect(try await silent.rest().received.isEmpty)
        }
    }

    @Test("The second head of a connection is limited from its first byte on")
    func limitsNextHead() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.requestHeader = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
            try await client.send("GET ")
            try await proxy.hasBegunHead()
            try await proxy.clock.expire(limit)
            #expect(try await client.message().status == 408)
        }
    }

    @Test("A connection between requests is closed when it is idle, and so is a pooled one")
    func limitsIdle() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.idle = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.head().status == 204)
            try await proxy.clock.expire(limit)
            #expect(try await client.rest().received.isEmpty)
            #expect(try await server.rest().received.isEmpty)
        }
    }

    @Test("A handshake that does not come to its end is given up, by the client")
    func limitsClientHandshake() async throws {
        try await RunningProxy.withSecureUpstream {
            $0.timeouts.handshake = limit
        } _: { proxy, _ in
            let client = try await proxy.connect()
            try await client.send("CONNECT api.test:443 HTTP/1.1\nHost: api.test:443\n\n")
            #expect(try await client.head().status == 200)
            try await proxy.clock.expire(limit)
            _ = try await client.end()
        }
    }

    @Test("A handshake that does not come to its end is given up, by the upstream")
    func limitsUpstreamHandshake() async throws {
        let upstream = try await ScriptedUpstream.start()
        var setup = try ProxySetup(secure: upstream)
        setup.timeouts.handshake = limit
        try await RunningProxy.with(setup) { proxy in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            // The beginning of the handshake.
            try await server.received(atLeast: 1)
            try await proxy.clock.expire(limit)
            let answer = try await client.message()
            #expect(answer.status == 504)
            #expect(answer.proxyError == "connection_timeout")
        }
        await upstream.stop()
    }

    @Test("An upstream that does not begin to answer is told, and the client's connection stays")
    func limitsResponseHead() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.responseHeader = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            for _ in 0..<2 {
                try await client.send(plainGet)
                let server = try await upstream.accept()
                _ = try await server.head()
                try await proxy.clock.expire(limit)
                let answer = try await client.message()
                #expect(answer.status == 504)
                #expect(answer.proxyError == "http_response_timeout")
                _ = try await server.end()
            }
        }
    }

    @Test(
        "A response that has begun, or was announced, lives as long as idle says",
        arguments: ["HTTP/1.1 200 OK\nContent-Length: 2\n\n", "HTTP/1.1 103 Early Hints\n\n"]
    )
    func doesNotLimitLongPoll(beginning: String) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.responseHeader = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(beginning)
            let head = try await client.head()
            // One that is not answered at all is over its limit by then.
            let other = try await proxy.connect()
            try await other.send(plainGet)
            let silent = try await upstream.accept()
            _ = try await silent.head()
            try await proxy.clock.expire(limit)
            #expect(try await other.message().status == 504)
            if head.status == 103 {
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\n")
                #expect(try await client.head().status == 200)
            }
            try await server.send("ok")
            #expect(try await client.bytes(2) == "ok")
        }
    }

    @Test("A response that stops in the middle is cut")
    func limitsResponseBody() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.idle = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 10\n\nabc")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(3) == "abc")
            try await proxy.clock.expire(limit)
            #expect(try await client.end() == .cut)
            _ = try await server.end()
        }
    }

    @Test("A response that began before the request was whole, and then stops, is cut")
    func limitsEarlyResponse() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.responseHeader = .seconds(1)
            $0.timeouts.idle = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 2\n\na")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 10\n\nabc")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(3) == "abc")
            try await client.send("b")
            #expect(try await server.bytes(1) == "a")
            #expect(try await server.bytes(1) == "b")
            try await proxy.clock.expire(limit)
            #expect(try await client.end() == .cut)
            _ = try await server.end()
        }
    }

    @Test(
        "A request that stops in the middle is answered, whether it is collected or streamed",
        arguments: [true, false]
    )
    func limitsRequestBody(isForm: Bool) async throws {
        try await RunningProxy.withPlainUpstream {
            $0.timeouts.idle = limit
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            let type = isForm ? "application/x-www-form-urlencoded" : "text/plain"
            try await client.send(
                "POST http://api.test/ HTTP/1.1\nHost: api.test\nContent-Type: \(type)\nContent-Length: 9\n\na=1"
            )
            if !isForm {
                let server = try await upstream.accept()
                _ = try await server.head()
                #expect(try await server.bytes(3) == "a=1")
            }
            try await proxy.clock.expire(limit)
            #expect(try await client.message().status == 408)
            _ = try await client.end()
        }
    }
}
