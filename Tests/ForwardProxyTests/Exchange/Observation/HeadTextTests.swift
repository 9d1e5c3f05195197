import Bytes
import Credentials
import HTTP1Codec
import NIOCore
import OAuthSigning
import Testing

@testable import ForwardProxy

@Suite("A head as it is shown")
struct HeadTextTests {
    @Test("A request has its lines as they came, but for white space and what may be secret")
    func request() throws {
        let head = try requestHead("GET /a?b=c&access_token=hidden HTTP/1.0\nhOsT:  api.test \nCookie: a=hidden\n\n")
        let lines = HeadText.lines(of: head)
        #expect(lines == ["GET /a?b=c&access_token=… HTTP/1.0", "hOsT: api.test", "Cookie: …"])
    }

    @Test("One that is sent has what is changed of it")
    func sent() throws {
        let head = try requestHead(
            "GET http://a/x HTTP/1.1\nHost: a\nX-Key: hidden\nConnection: X-Hop\nX-Hop: 1\nVia: 1.0 b\nX-A: 1\n\n"
        )
        let outgoing = OutgoingRequest(
            target: ByteBuffer(string: "/x"),
            scheme: .https,
            host: ByteBuffer(string: "b:81"),
            dropped: [.connection, .via],
            tokenField: TokenField("X-Key"),
            acceptsTrailers: true,
            upgrade: nil,
            body: nil,
            isComplete: true
        )
        let lines = HeadText.lines(of: head, as: outgoing, appending: ["Via": "1.1 paraph"])
        let expected = [
            "GET /x HTTP/1.1", "Host: b:81", "X-Key: …", "X-A: 1", "Via: 1.1 paraph", "TE: trailers", "Connection: TE",
        ]
        #expect(lines == expected)
        var written = ByteBuffer()
        var fields: AppendedFields = ["Via": "1.1 paraph"]
        outgoing.write(head, fields: &fields, into: &written)
        let text = expected.joined(separator: "\n").replacing("…", with: "hidden") + "\n\n"
        #expect(String(buffer: written) == text.withNetworkLineEnds)
    }

    @Test("A response shows values of few fields, and none where the secrets of its request are not known")
    func response() throws {
        let head = try responseHead("HTTP/1.1 200 hidden\nDate: now\nVary: hidden\nX-A: b\n\n")
        let lines = HeadText.lines(of: head, Scrubber(secrets: [Secret("hidden")]))
        #expect(lines == ["HTTP/1.1 200", "Date: now", "Vary: …", "X-A: …"])
        #expect(HeadText.lines(of: head, nil) == ["HTTP/1.1 200", "Date: …", "Vary: …", "X-A: …"])
    }

    @Test("One that goes to the client has what is changed of it")
    func responseToClient() throws {
        let head = try responseHead("HTTP/1.0 204 None\nContent-Length: 0\nDate: now\nX-A: b\n\n")
        let lines = HeadText.lines(of: head, dropping: [.date], appending: ["Via": "1.0 paraph"], Scrubber(secrets: []))
        #expect(lines == ["HTTP/1.1 204", "X-A: …", "Via: 1.0 paraph"])
    }

    @Test("It is bounded")
    func bounds() throws {
        let many = try requestHead("GET / HTTP/1.1\nHost: a\n" + String(repeating: "A: b\n", count: 150) + "\n")
        #expect(HeadText.lines(of: many).count == 128)
        let value = String(repeating: "v", count: 10_000)
        let long = try requestHead("GET / HTTP/1.1\nHost: a\nA: \(value)\nB: \(value)\nC: d\n\n")
        let lines = HeadText.lines(of: long)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= HeadText.limit + 1 })
    }
}
