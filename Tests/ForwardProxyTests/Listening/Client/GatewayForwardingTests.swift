import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Responses through a gateway", .generousLimit, .timed)
struct GatewayForwardingTests {
    private static let fields = """
        Location: https://api.test/next?a=b#c
        Content-Location: http://api.test/this
        Set-Cookie: a=1; Domain=api.test; Path=/; Secure
        Set-Cookie:b=2;domain=.test
        Set-Cookie: c=3; Domain=elsewhere.test
        Link: <https://api.test/page>; rel=next
        X-Blanks:   kept\t
        Content-Length: 2

        """

    @Test("Fields that point at the upstream point at the gateway as the client names it, and no others are touched")
    func maps() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: LocalHost:\(proxy.gatewayPort())\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 302 Found Elsewhere\n\(Self.fields)\nok")
            let response = try await client.message()
            let own = "http://LocalHost:\(try proxy.gatewayPort())"
            #expect(response.startLine == "HTTP/1.1 302 Found Elsewhere")
            #expect(response["Location"] == "\(own)/next?a=b#c")
            #expect(response["Content-Location"] == "\(own)/this")
            #expect(response.values("Set-Cookie") == ["a=1; Path=/; Secure", "b=2", "c=3; Domain=elsewhere.test"])
            #expect(response["Link"] == "<https://api.test/page>; rel=next")
            #expect(response["X-Blanks"] == "kept")
            #expect(response["Via"] == "1.1 paraph")
            #expect(response.body == "ok")
        }
    }

    @Test("Nothing of a response is changed where that is switched off")
    func leaves() async throws {
        try await RunningProxy.withGateway {
            $0.apis[0].gateway = GatewaySettings(mapsResponses: false)
        } _: { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: localhost\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 302 Found\n\(Self.fields)\nok")
            let response = try await client.message()
            #expect(response["Location"] == "https://api.test/next?a=b#c")
            #expect(response.values("Set-Cookie").first == "a=1; Domain=api.test; Path=/; Secure")
        }
    }

    @Test("A response through the proxy itself keeps what a gateway's would lose")
    func proxyLeaves() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.intercept()
            try await client.send("GET / HTTP/1.1\nHost: api.test\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            try await server.send("HTTP/1.1 302 Found\n\(Self.fields)\nok")
            #expect(try await client.message()["Location"] == "https://api.test/next?a=b#c")
        }
    }

    @Test("Chunked responses whose fields are mapped keep their framing and their trailers")
    func mapsChunked() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            try await client.send("GET / HTTP/1.1\nHost: 127.0.0.1\nTE: trailers\nConnection: TE\n\n")
            let server = try await upstream.accept()
            _ = try await server.head()
            let fields = "Location: https://api.test/\nConnection: X-Hop\nX-Hop: 1\nTransfer-Encoding: chunked\n"
            try await server.send("HTTP/1.1 200 OK\n\(fields)\n2\nok\n0\nX-End: 1\n\n")
            let response = try await client.message()
            #expect(response["Location"] == "http://127.0.0.1/")
            #expect(response["X-Hop"] == nil)
            #expect(response.body == "ok")
            #expect(response.trailers == ["X-End: 1"])
        }
    }

    @Test("A WebSocket is opened through it, and its cookies are the gateway's")
    func switchesProtocols() async throws {
        try await RunningProxy.withGateway { proxy, upstream in
            let client = try await proxy.connectToGateway()
            let own = "127.0.0.1:\(try proxy.gatewayPort())"
            let fields = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nOrigin: http://\(own)\n"
            try await client.send("GET /socket HTTP/1.1\nHost: \(own)\n\(fields)\n")
            let server = try await upstream.accept()
            let request = try await server.head()
            #expect(request["Upgrade"] == "websocket")
            #expect(request["Host"] == "api.test")
            #expect(request["Authorization"]?.hasPrefix("OAuth ") == true)
            let answer = "Connection: Upgrade\nUpgrade: websocket\nSet-Cookie: a=1; Domain=api.test\n"
            try await server.send("HTTP/1.1 101 Switching Protocols\n\(answer)\n")
            let response = try await client.head()
            #expect(response.status == 101)
            #expect(response["Set-Cookie"] == "a=1")
            try await client.send("ping")
            #expect(try await server.bytes(4) == "ping")
            try await server.send("pong")
            #expect(try await client.bytes(4) == "pong")
        }
    }
}
