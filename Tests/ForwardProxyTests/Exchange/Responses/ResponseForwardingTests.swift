import HTTP1Codec
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("A response head for the client")
struct ResponseForwardingTests {
    private struct Forwarded {
        var text: String
        var coding: ResponseBodyCoding
        var closes: Bool
    }

    private func forward(
        _ response: String,
        to request: String = "GET / HTTP/1.1\nHost: a\n\n",
        closes: Bool = false,
        proxyStatus: String? = nil
    ) throws -> Forwarded {
        let request = try requestHead(request)
        var closes = closes
        var fields: AppendedFields = ["Left": "over"]
        var out = ByteBuffer()
        let outcome = ResponseForwarding.write(
            try responseHead(response, to: request.method),
            to: request,
            closes: &closes,
            proxyStatus: proxyStatus,
            fields: &fields,
            into: &out
        )
        return Forwarded(text: String(buffer: out), coding: outcome.coding, closes: closes)
    }

    private let old = "GET http://a/ HTTP/1.0\nConnection: keep-alive\n\n"

    @Test("Fields of the upstream's hop are dropped, all others and the reason phrase stay")
    func dropsHopByHop() throws {
        let forwarded = try forward(
            """
            HTTP/1.1 404 Nicht da
            Content-Length: 3
            Connection: X-Gone
            X-Gone: 1
            Keep-Alive: timeout=5
            Upgrade: h2c
            Proxy-Authenticate: Basic
            WWW-Authenticate: OAuth
            Set-Cookie:  a=b


            """
        )
        #expect(
            forwarded.text
                == """
                HTTP/1.1 404 Nicht da
                Content-Length: 3
                WWW-Authenticate: OAuth
                Set-Cookie:  a=b
                Via: 1.1 paraph


                """.withNetworkLineEnds
        )
        #expect(forwarded.coding == .none)
        #expect(!forwarded.closes)
    }

    @Test("A body until the end of the connection is chunked for HTTP/1.1")
    func chunks() throws {
        let forwarded = try forward("HTTP/1.1 200 OK\nConnection: close\n\n")
        #expect(forwarded.coding == .chunked)
        #expect(!forwarded.closes)
        #expect(
            forwarded.text == "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nVia: 1.1 paraph\n\n".withNetworkLineEnds
        )
    }

    @Test("A body until the end of the connection stays one for HTTP/1.0")
    func endsWithConnection() throws {
        let forwarded = try forward("HTTP/1.0 200 OK\n\n", to: old)
        #expect(forwarded.coding == .none)
        #expect(forwarded.closes)
        #expect(forwarded.text == "HTTP/1.1 200 OK\nVia: 1.0 paraph\nConnection: close\n\n".withNetworkLineEnds)
    }

    @Test("A chunked body stays chunked for HTTP/1.1 and ends with the connection for HTTP/1.0")
    func unchunks() throws {
        let chunked = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X\n\n"
        let new = try forward(chunked)
        #expect(new.coding == .chunked)
        #expect(new.text.contains("\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n"))
        let old = try forward(chunked, to: old)
        #expect(old.coding == .none)
        #expect(old.closes)
        #expect(!old.text.contains("chunked"))
        #expect(!old.text.contains("Trailer"))
    }

    @Test("HTTP/1.0 never sees Transfer-Encoding, not even in an answer to HEAD")
    func hidesTransferEncodingFromOldClients() throws {
        let forwarded = try forward(
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n",
            to: "HEAD http://a/ HTTP/1.0\nConnection: keep-alive\n\n"
        )
        #expect(!forwarded.text.contains("Transfer-Encoding"))
    }

    @Test("An HTTP/1.0 client that keeps its connection is told so")
    func keepsOldConnections() throws {
        let forwarded = try forward("HTTP/1.1 200 OK\nContent-Length: 0\n\n", to: old)
        #expect(forwarded.text.hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
        #expect(!forwarded.closes)
    }

    @Test("A close that was decided is announced")
    func announcesClose() throws {
        let forwarded = try forward("HTTP/1.1 200 OK\nContent-Length: 0\n\n", closes: true)
        #expect(forwarded.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(forwarded.closes)
    }

    @Test(
        "Responses that have no body are not given a framing",
        arguments: ["HTTP/1.1 204 No Content\n\n", "HTTP/1.1 304 Not Modified\nETag: \"a\"\n\n"]
    )
    func framesNoBody(response: String) throws {
        let forwarded = try forward(response)
        #expect(forwarded.coding == .none)
        #expect(!forwarded.text.contains("Transfer-Encoding"))
        #expect(!forwarded.closes)
    }

    @Test("What a 426 asks to switch to is passed on to clients that could")
    func asksForUpgrade() throws {
        let response = "HTTP/1.1 426 Upgrade Required\nUpgrade: websocket\nConnection: Upgrade\nContent-Length: 0\n\n"
        #expect(try forward(response).text.contains("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"))
        #expect(try !forward(response, to: old).text.contains("Upgrade: websocket"))
    }

    @Test("The length in an answer to HEAD is passed on")
    func keepsLengthOfHead() throws {
        let forwarded = try forward("HTTP/1.1 200 OK\nContent-Length: 12\n\n", to: "HEAD / HTTP/1.1\nHost: a\n\n")
        #expect(forwarded.text.contains("\r\nContent-Length: 12\r\n"))
        #expect(forwarded.coding == .none)
    }
}
