import HTTP1Codec
import HTTP2Codec
import NIOCore
import Testing

@Suite struct HeadRoundTripTests {
    @Test func `A request that came by HTTP 1 arrives by HTTP 2`() throws {
        var reader = RequestDecoder()
        reader.append(ByteBuffer(string: "PUT /a?b=c HTTP/1.1\r\nHost: h\r\nX-Capital: A b\r\nCookie: a=b\r\n\r\n"))
        guard case .head(let head) = try reader.next() else {
            Issue.record("no head")
            return
        }
        var block = ByteBuffer()
        var encoder = HeaderBlockEncoder()
        encoder.write(
            request: head,
            scheme: .https,
            authority: ByteBuffer(string: "example.com:8443"),
            target: nil,
            dropping: [],
            appending: ByteBuffer(string: "Authorization: OAuth x\r\nVia: 1.1 paraph\r\n"),
            into: &block
        )
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        let arrived = try decoder.request(block, endsStream: true)
        #expect(
            String(buffer: arrived.octets)
                == "PUT /a?b=c HTTP/2\r\nhost: example.com:8443\r\nx-capital: A b\r\nauthorization: OAuth x\r\n"
                + "via: 1.1 paraph\r\ncookie: a=b\r\n\r\n"
        )
        #expect(arrived.scheme == .https)
        #expect(arrived.method == .put)
        #expect(arrived.framing == .none)
    }
}
