import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Connections that end, in any phase", .generousLimit, .timed)
struct ConnectionLossTests {
    private let noContent = "HTTP/1.1 204 No Content\n\n"

    @Test(
        "An upstream that talks nonsense is a bad gateway",
        arguments: [
            "SSH-2.0-OpenSSH_9.9\n", "HTTP/1.1 abc\n\n", "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\n",
            "HTTP/1.1 200 OK\nA : b\n\n", "HTTP/2 200\n\n",
        ]
    )
    func refusesNonsense(bytes: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(bytes)
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "http_protocol_error")
            // The request was whole, so the client's connection is good for another.
            try await client.send(plainGet)
            let next = try await upstream.accept()
            _ = try await next.head()
            try await next.send(noContent)
            #expect(try await client.message().status == 204)
        }
    }

    @Test(
        "An upstream that closes before or within the head is a bad gateway",
        arguments: ["", "HTTP/1.1 200 OK\nA: "]
    )
    func refusesHalfHead(bytes: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(bytes)
            // A server that takes a connection and then ends it is not asked again.
            async let _ = ConnectionReuseTests.answer(try await upstream.accept(), "Content-Length: 5\n\nagain")
            await server.close()
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "connection_terminated")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("An answer to HEAD that the proxy makes itself has no body")
    func answersHead() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("HEAD http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            await server.close()
            #expect(try await client.head().status == 502)
            try await client.send(plainGet)
            let next = try await upstream.accept()
            _ = try await next.head()
            try await next.send(noContent)
            #expect(try await client.head().status == 204)
        }
    }

    @Test(
        "A response that is cut is cut for the client, and never ends in order",
        arguments: [
            "Content-Length: 10\n\nabc", "Transfer-Encoding: chunked\n\n3\nabc\n",
        ],
        [true, false]
    )
    func cutsResponse(rest: String, isIntercepted: Bool) async throws {
        try await RunningProxy.withPlainUpstream { setup in
            setup.apis[0].hosts = ["api.test", "api.test:443"]
        } _: { proxy, upstream in
            let client = isIntercepted ? try await proxy.intercept() : try await proxy.connect()
            try await client.send(isIntercepted ? "GET / HTTP/1.1\nHost: api.test\n\n" : plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n" + rest)
            await server.close()
            #expect(try await client.end() == .cut)
        }
    }

    @Test("A response that is broken before any of it is sent on is a bad gateway", arguments: [true, false])
    func withdrawsResponse(isIntercepted: Bool) async throws {
        try await RunningProxy.withPlainUpstream { setup in
            setup.apis[0].hosts = ["api.test", "api.test:443"]
        } _: { proxy, upstream in
            let client = isIntercepted ? try await proxy.intercept() : try await proxy.connect()
            try await client.send(isIntercepted ? "GET / HTTP/1.1\nHost: api.test\n\n" : plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n")
            #expect(try await client.head().status == 502)
            // Nothing of it is left for whoever is answered next.
            let other = isIntercepted ? try await proxy.intercept() : try await proxy.connect()
            try await other.send(isIntercepted ? "GET / HTTP/1.1\nHost: api.test\n\n" : plainGet)
            let next = try await upstream.accept()
            _ = try await next.head()
            try await next.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await other.head().status == 204)
        }
    }

    @Test(
        "A response without a length that is cut does not end in order for an HTTP/1.0 client",
        arguments: [true, false]
    )
    func cutsOldResponse(isIntercepted: Bool) async throws {
        try await RunningProxy.withPlainUpstream { setup in
            setup.apis[0].hosts = ["api.test", "api.test:443"]
        } _: { proxy, upstream in
            let client = isIntercepted ? try await proxy.intercept() : try await proxy.connect()
            try await client.send(
                isIntercepted ? "GET / HTTP/1.0\nHost: api.test\n\n" : "GET http://api.test/ HTTP/1.0\n\n"
            )
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n\nabc")
            try await client.received(atLeast: 3)
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(3) == "abc")
            try await server.reset()
            #expect(try await client.end() == .cut)
        }
    }

    @Test("A response without a length over TLS that ends without notice is cut for the client")
    func cutsUnannouncedEnd() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n\nabc")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(8) == "3\r\nabc\r\n")
            try await server.endWithoutNotice()
            #expect(try await client.end() == .cut)
        }
    }

    @Test("A response of a known length is whole however TLS ends")
    func toleratesUnannouncedEnd() async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 3\nConnection: close\n\nabc")
            try await server.endWithoutNotice()
            #expect(try await client.message().body == "abc")
        }
    }

    @Test("A client that goes away in the middle of its request takes the upstream connection with it")
    func dropsUpstreamWithRequest() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 10\n\nabc")
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(try await server.bytes(3) == "abc")
            await client.close()
            #expect(try await server.end() == .clean)
            #expect(try await proxy.accessLogLine()["outcome"] as? String == "client closed")
        }
    }

    @Test("A client that goes away in the middle of a response takes the upstream connection with it")
    func dropsUpstreamWithResponse() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 10\n\nabc")
            try await client.received(atLeast: 10)
            try await client.reset()
            #expect(try await server.end() == .clean)
            #expect(try await proxy.accessLogLine()["outcome"] as? String == "client closed")
        }
    }

    @Test("A client that ends its side after its request still gets the answer", arguments: [1, 3])
    func answersHalfClosed(count: Int) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(String(repeating: plainGet, count: count))
            try await client.finishSending()
            let server = try await upstream.accept()
            for _ in 0..<count {
                _ = try await server.head()
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
                #expect(try await client.message().body == "ok")
            }
            #expect(try await client.end() == .clean)
        }
    }

    @Test("It gets the answer's end in order, which may be all that delimits it", arguments: ["1.0", "1.1"])
    func endsHalfClosedInOrder(version: String) async throws {
        try await RunningProxy.withSecureUpstream { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send("GET / HTTP/\(version)\nHost: api.test\n\n")
            try await client.finishSending()
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\n\nok")
            try await server.finishSending()
            let (received, end) = try await client.rest()
            #expect(received.contains("ok"))
            #expect(end == .clean)
        }
    }

    @Test(
        "A client that ends its side in the middle of its request is closed, and nothing hangs",
        arguments: ["abc", ""]
    )
    func closesHalfRequest(part: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 10\n\n\(part)")
            try await client.finishSending()
            let rest = try await client.rest()
            #expect(rest.received.isEmpty)
            #expect(rest.end == .clean)
            let other = try await proxy.connect()
            try await other.send("GET http://api.te")
            try await other.finishSending()
            let otherRest = try await other.rest()
            #expect(otherRest.received.isEmpty)
            #expect(otherRest.end == .clean)
            #expect(upstream.connectionCount <= 1)
        }
    }
}
