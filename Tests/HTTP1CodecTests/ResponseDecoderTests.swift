import HTTP1Codec
import NIOCore
import Testing

@Suite struct ResponseDecoderTests {
    @Test func `A chunked response is decoded and its trailers are kept`() throws {
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: .get)
        decoder.append(
            ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n")
        )
        guard case .head(let head) = try decoder.next() else { throw Unexpected.event }
        #expect(head.framing == .chunked)
        guard case .body(let body) = try decoder.next() else { throw Unexpected.event }
        #expect(String(buffer: body) == "abc")
        guard case .end(let trailers) = try decoder.next() else { throw Unexpected.event }
        #expect(trailers?.map { String(buffer: $0.value) } == ["1"])
        #expect(try decoder.next() == nil)
    }
}
