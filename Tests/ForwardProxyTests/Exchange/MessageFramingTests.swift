import NIOCore
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Bodies and their ends, both ways", .generousLimit, .timed)
struct MessageFramingTests {
    @Test("Trailers go both ways")
    func passesTrailersOn() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(
                """
                POST http://api.test/ HTTP/1.1
                Host: api.test
                TE: trailers
                Connection: TE
                Transfer-Encoding: chunked
                Trailer: X-Up

                2
                ab
                0
                X-Up: 1


                """
            )
            let server = try await upstream.accept()
            let request = try await server.message()
            #expect(request["TE"] == "trailers")
            #expect(request["Trailer"] == "X-Up")
            #expect(request.body == "ab")
            #expect(request.trailers == ["X-Up: 1"])
            try await server.send(
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X-Down\n\n1\nz\n0\nX-Down: 2\n\n"
            )
            let answer = try await client.message()
            #expect(answer.body == "z")
            #expect(answer["Trailer"] == "X-Down")
            #expect(answer.trailers == ["X-Down: 2"])
        }
    }

    @Test(
        "Responses without a body leave the connection good for the next",
        arguments: [
            ("HEAD", "HTTP/1.1 200 OK\nContent-Length: 99\n\n"),
            ("HEAD", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"), ("GET", "HTTP/1.1 204 No Content\n\n"),
            ("GET", "HTTP/1.1 304 Not Modified\nContent-Length: 99\nETag: \"a\"\n\n"),
            ("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
        ]
    )
    func passesBodilessOn(method: String, response: String) async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("\(method) http://api.test/ HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send(response)
            let answer = try await client.message(hasBody: false)
            #expect(answer.startLine == response.withNetworkLineEnds.components(separatedBy: "\r\n")[0])
            try await client.send(plainGet)
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 1\n\nx")
            #expect(try await client.message().body == "x")
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("Interim responses are passed on as they come")
    func passesInterimOn() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 103 Early Hints\nLink: </a>; rel=preload\nConnection: X\nX: y\n\n")
            let interim = try await client.head()
            #expect(interim.startLine == "HTTP/1.1 103 Early Hints")
            #expect(interim["Link"] == "</a>; rel=preload")
            #expect(interim["X"] == nil)
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
            #expect(try await client.message().status == 200)
        }
    }

    @Test("HTTP/1.0 clients get no interim response, and a body that ends with the connection")
    func servesOldClients() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("GET http://api.test/ HTTP/1.0\n\n")
            let server = try await upstream.accept()
            #expect(try await server.head().startLine == "GET / HTTP/1.1")
            try await server.send(
                "HTTP/1.1 103 Early Hints\n\nHTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n"
            )
            let head = try await client.head()
            #expect(head.status == 200)
            #expect(head["Connection"] == "close")
            let rest = try await client.rest()
            #expect(rest.received == "abcde")
            #expect(rest.end == .clean)
        }
    }

    @Test("A response that ends with the upstream's connection is chunked, and the client's connection stays")
    func chunksUntilClose() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let first = try await upstream.accept()
            _ = try await first.head()
            try await first.send("HTTP/1.1 200 OK\n\nabc")
            #expect(try await client.head()["Transfer-Encoding"] == "chunked")
            #expect(try await client.bytes(8) == "3\r\nabc\r\n")
            try await first.send("de")
            await first.close()
            #expect(try await client.bytes(12) == "2\r\nde\r\n0\r\n\r\n")
            try await client.send(plainGet)
            let second = try await upstream.accept()
            _ = try await second.head()
            try await second.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.message().status == 204)
        }
    }

    @Test("Pipelined requests are answered in their order")
    func answersInOrder() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let requests = (1...3).map { "GET http://api.test/\($0) HTTP/1.1\nHost: api.test\n\n" }
            try await client.send(requests.joined())
            let server = try await upstream.accept()
            for number in 1...3 {
                let target = try await server.head().target
                #expect(target == "/\(number)")
                try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\n\(target)")
            }
            for number in 1...3 { #expect(try await client.message().body == "/\(number)") }
        }
    }

    @Test("Pipelined requests that the proxy answers itself are answered in their order too")
    func answersRefusalsInOrder() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            let unknown = "GET http://api.test/ HTTP/1.1\nHost: api.test\nParaph-Account: nobody\n\n"
            try await client.send(plainGet + unknown + plainGet)
            let server = try await upstream.accept()
            for _ in 0..<2 {
                _ = try await server.head()
                try await server.send("HTTP/1.1 204 No Content\n\n")
            }
            #expect(try await client.message().status == 204)
            #expect(try await client.message().status == 403)
            #expect(try await client.message().status == 204)
        }
    }

    @Test("After an early response the rest of an upload goes up when the upstream takes it")
    func continuesEarlyAnsweredUpload() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 6\n\nabc")
            let server = try await upstream.accept()
            _ = try await server.head()
            #expect(try await server.bytes(3) == "abc")
            try await server.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")
            #expect(try await client.message().body == "ok")
            try await client.send("def" + plainGet)
            #expect(try await server.bytes(3) == "def")
            #expect(try await server.head().method == "GET")
            try await server.send("HTTP/1.1 204 No Content\n\n")
            #expect(try await client.message().status == 204)
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test("After an early response of an upstream that closes, the client gets it whole and then the end")
    func endsEarlyAnsweredUpload() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("PUT http://api.test/ HTTP/1.1\nHost: api.test\nContent-Length: 100000000\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            async let upload: Void = client.sendBytes(ByteBuffer(repeating: 0x61, count: 1_000_000))
            try await server.send("HTTP/1.1 413 Content Too Large\nContent-Length: 2\nConnection: close\n\nno")
            await server.close()
            let answer = try await client.message()
            #expect(answer.status == 413)
            #expect(answer.body == "no")
            #expect(answer["Connection"] == "close")
            // What was on its way is taken, so that the answer is not lost to a reset. Of the rest the proxy does not
            // wait for as long as a slow test may need.
            _ = try? await upload
            #expect(try await client.end() == .clean)
        }
    }

    @Test("A body streams in both directions at once")
    func streamsBothWays() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send("POST http://api.test/ HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
            _ = try await client.head()
            for _ in 0..<3 {
                try await client.send("2\nup\n")
                #expect(try await server.bytes(7) == "2\r\nup\r\n")
                try await server.send("4\ndown\n")
                #expect(try await client.bytes(9) == "4\r\ndown\r\n")
            }
            try await client.send("0\n\n")
            #expect(try await server.bytes(5) == "0\r\n\r\n")
            try await server.send("0\n\n")
            #expect(try await client.bytes(5) == "0\r\n\r\n")
        }
    }

    @Test("An interim response before a switch of protocols is not somebody else's")
    func keepsInterimToItsClient() async throws {
        try await RunningProxy.withPlainUpstream { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(plainGet)
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 103 Early Hints\nX: first\n\nHTTP/1.1 101 Switching Protocols\n\n")
            #expect(try await client.head().status == 103)
            let answer = try await client.message()
            #expect(answer.status == 502)
            #expect(answer.proxyError == "http_protocol_error")

            let other = try await proxy.connect()
            try await other.send(plainGet)
            let next = try await upstream.accept()
            _ = try await next.head()
            try await next.send("HTTP/1.1 200 OK\nContent-Length: 0\n\n")
            #expect(try await other.head().status == 200)
        }
    }
}
