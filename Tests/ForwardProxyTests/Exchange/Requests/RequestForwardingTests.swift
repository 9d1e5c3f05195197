import Bytes
import HTTP1Codec
import NIOCore
import OAuthSigning
import Testing

@testable import ForwardProxy
@testable import Routing

@Suite("A request head for the next hop")
struct RequestForwardingTests {
    private func route(_ target: String, host: String = "api.test", replacesHost: Bool = false) throws -> RequestRoute {
        let authority = try Authority(parsing: "api.test", defaultPort: 443)
        return RequestRoute(
            api: APIRoute(index: 0, name: "api", hosts: [], accounts: []),
            account: Account(index: 0, name: "default"),
            authority: authority,
            requestTarget: ByteBuffer(string: target),
            replacesTarget: true,
            host: ByteBuffer(string: host),
            replacesHost: replacesHost,
            client: nil,
            gateway: nil
        )
    }

    private func forward(
        _ text: String,
        target: String = "/",
        signed: SignedRequest? = nil,
        collected: Int? = nil,
        keepsAuthorization: Bool = false,
        replacesHost: Bool = false
    ) throws -> String {
        var fields: AppendedFields = ["Left": "over"]
        var out = ByteBuffer(string: "left over")
        let head = try requestHead(text)
        let request = RequestForwarding.prepare(
            head: head,
            route: try route(target, replacesHost: replacesHost),
            credentials: OutgoingCredentials(signed: signed, field: nil, keepsOwn: keepsAuthorization),
            body: OutgoingBody(
                signed: nil,
                collected: collected.map { ByteBuffer(repeating: 0x61, count: $0) },
                trailers: nil,
                framing: head.framing
            ),
            fields: &fields
        )
        request.write(head, fields: &fields, into: &out)
        return String(buffer: out)
    }

    private func signature(_ value: String) -> SignedRequest {
        SignedRequest(authorization: Array(value.utf8))
    }

    @Test("Fields of this hop and of this proxy are dropped, all others stay byte for byte")
    func dropsHopByHop() throws {
        let out = try forward(
            """
            GET /a%2Fb?c=+&c= HTTP/1.1
            Host: api.test
            X-One:   two\u{20}
            Connection: X-Gone, keep-alive
            Keep-Alive: timeout=5
            X-Gone: 1
            Proxy-Connection: keep-alive
            Proxy-Authorization: Basic eDp5
            Paraph-Account: alice
            Upgrade: websocket
            HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA
            accept: */*


            """,
            target: "/a%2Fb?c=+&c="
        )
        #expect(
            out
                == """
                GET /a%2Fb?c=+&c= HTTP/1.1
                Host: api.test
                X-One:   two\u{20}
                accept: */*
                Via: 1.1 paraph


                """.withNetworkLineEnds
        )
    }

    @Test("The signature replaces what the client sent")
    func replacesAuthorization() throws {
        let out = try forward(
            "GET / HTTP/1.1\nHost: api.test\nAuthorization: Bearer client\nauthorization: again\n\n",
            signed: signature("OAuth ours")
        )
        #expect(!out.contains("client"))
        #expect(!out.contains("again"))
        #expect(out.contains("\r\nAuthorization: OAuth ours\r\n"))
    }

    @Test("An Authorization that is kept goes on as it came")
    func keepsAuthorization() throws {
        let out = try forward(
            "GET / HTTP/1.1\nHost: api.test\naUthorization:  Bearer client\n\n",
            keepsAuthorization: true
        )
        #expect(out.contains("\r\naUthorization:  Bearer client\r\n"))
    }

    @Test("A signature in the query changes the target alone")
    func replacesTarget() throws {
        let signed = SignedRequest(target: Array("/a?oauth_nonce=1".utf8))
        let out = try forward("GET /a HTTP/1.1\nHost: api.test\n\n", target: "/a", signed: signed)
        #expect(out.hasPrefix("GET /a?oauth_nonce=1 HTTP/1.1\r\nHost: api.test\r\n"))
        #expect(!out.contains("Authorization"))
    }

    @Test("An absolute target becomes the route's, and its Host the route's own form")
    func replacesHost() throws {
        let out = try forward(
            "GET http://API.test:80/x HTTP/1.1\nHost: API.test:80\nA: b\n\n",
            target: "/x",
            replacesHost: true
        )
        #expect(out == "GET /x HTTP/1.1\nHost: api.test\nA: b\nVia: 1.1 paraph\n\n".withNetworkLineEnds)
    }

    @Test("A collected chunked body is sent with a length, without Expect, Trailer and Transfer-Encoding")
    func setsCollectedLength() throws {
        let out = try forward(
            """
            POST / HTTP/1.1
            Host: api.test
            Transfer-Encoding: chunked
            Trailer: X-Sum
            Expect: 100-continue
            Content-Type: application/x-www-form-urlencoded


            """,
            collected: 7
        )
        #expect(
            out
                == """
                POST / HTTP/1.1
                Host: api.test
                Content-Type: application/x-www-form-urlencoded
                Content-Length: 7
                Via: 1.1 paraph


                """.withNetworkLineEnds
        )
    }

    @Test("The length of a collected body stays as it came when it is right")
    func keepsRightLength() throws {
        let out = try forward("POST / HTTP/1.1\nHost: api.test\ncontent-length: 7\n\n", collected: 7)
        #expect(out.contains("\r\ncontent-length: 7\r\n"))
        #expect(!out.contains("Content-Length"))
    }

    @Test("A form that grew by its signature has the new length alone")
    func replacesLength() throws {
        let out = try forward("POST / HTTP/1.1\nHost: api.test\nContent-Length: 7\n\n", collected: 90)
        #expect(out.contains("\r\nContent-Length: 90\r\n"))
        #expect(!out.contains("Content-Length: 7\r"))
    }

    @Test("No length is invented for a request without a body")
    func inventsNoLength() throws {
        let out = try forward("GET / HTTP/1.1\nHost: api.test\n\n", collected: 0)
        #expect(!out.contains("Content-Length"))
    }

    @Test("A streamed body keeps its framing and its Expect")
    func keepsFraming() throws {
        let out = try forward(
            "POST / HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\nTrailer: X\nExpect: 100-continue\n\n"
        )
        for line in ["Transfer-Encoding: chunked", "Trailer: X", "Expect: 100-continue"] {
            #expect(out.contains("\r\n\(line)\r\n"))
        }
    }

    @Test(
        "A willingness to take trailers is passed on as this hop's own, other transfer codings are not",
        arguments: [
            ("trailers", true), ("Trailers ; q=1 , gzip", true), ("gzip;q=0.5, TRAILERS", true), ("gzip", false),
            ("xtrailers", false),
        ]
    )
    func passesTrailersOn(value: String, isPassedOn: Bool) throws {
        let out = try forward("GET / HTTP/1.1\nHost: api.test\nTE: \(value)\nConnection: TE\n\n")
        #expect(out.contains("\r\nTE: trailers\r\nConnection: TE\r\n") == isPassedOn)
        #expect(!out.contains("gzip"))
    }

    @Test("An HTTP/1.0 request goes on as HTTP/1.1, and Via tells")
    func upgradesVersion() throws {
        let out = try forward("GET http://api.test/ HTTP/1.0\n\n", replacesHost: true)
        #expect(out == "GET / HTTP/1.1\nHost: api.test\nVia: 1.0 paraph\n\n".withNetworkLineEnds)
    }
}
