import HTTP1Codec
import NIOCore
import Testing

@Suite struct HeadWriterTests {
    private func head(_ text: String) throws -> RequestHead {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: text))
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        return head
    }

    @Test func `A request head from which nothing is dropped is written as it came`() throws {
        let text = "GET /a?b=%7e HTTP/1.1\r\nhOsT:  example.com \r\nX-A:\t1\r\n\r\n"
        var out = ByteBuffer()
        try self.head(text).write(into: &out, target: nil, dropping: [], appending: ByteBuffer())
        #expect(String(buffer: out) == text)
    }

    @Test func `Dropped and nominated lines are left out, the target is replaced and lines are appended`() throws {
        let head = try self.head(
            "GET http://h/a HTTP/1.0\r\nHost: h\r\nVia: 1.0 x\r\nConnection: x-hop, keep-alive\r\nX-HOP: 1\r\nKeep-Alive: 5\r\nX-B: 2\r\n\r\n"
        )
        var out = ByteBuffer()
        head.write(
            into: &out,
            target: ByteBuffer(string: "/a"),
            dropping: [.connection, .via],
            appending: ByteBuffer(string: "Via: 1.1 paraph\r\n")
        )
        #expect(String(buffer: out) == "GET /a HTTP/1.1\r\nHost: h\r\nX-B: 2\r\nVia: 1.1 paraph\r\n\r\n")
    }
}

enum Unexpected: Error { case event }
