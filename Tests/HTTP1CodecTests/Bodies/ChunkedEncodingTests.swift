import HTTP1Codec
import NIOCore
import Testing

@Suite struct ChunkedEncodingTests {
    @Test(arguments: [
        (1, "1"), (9, "9"), (10, "a"), (15, "f"), (16, "10"), (255, "ff"), (256, "100"), (65_535, "ffff"),
        (65_536, "10000"), (1 << 40, "10000000000"), (Int.max, "7fffffffffffffff"),
    ])
    func `A chunk header is the length in hexadecimal`(_ length: Int, _ digits: String) {
        var buffer = ByteBuffer()
        ChunkedEncoding.writeChunkHeader(length: length, into: &buffer)
        #expect(String(buffer: buffer) == digits + "\r\n")
    }

    @Test func `Empty data make no chunk, for that would end the body`() {
        var buffer = ByteBuffer()
        ChunkedEncoding.writeChunk(ByteBuffer(), into: &buffer)
        #expect(buffer.readableBytes == 0)
    }

    @Test func `What is written can be read back`() throws {
        var buffer = ByteBuffer(string: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        let pieces = [1, 17, 4_096, 70_000].map { ByteBuffer(repeating: 0x0D, count: $0) }
        for piece in pieces { ChunkedEncoding.writeChunk(piece, into: &buffer) }
        ChunkedEncoding.writeLastChunk(into: &buffer)
        var decoder = RequestDecoder()
        decoder.append(buffer)
        _ = try decoder.next()
        for piece in pieces {
            guard case .body(let body) = try decoder.next() else { throw Reading.Unexpected.event }
            #expect(body == piece)
        }
        #expect(try decoder.next()?.description == "end []")
    }

    @Test func `Trailers are written as they came, without those that are dropped`() throws {
        let trailers = try Reading.trailers(
            "0\r\nAuthorization: a\r\nX-A:  1 \r\nx-b: 2\r\nSet-Cookie: c\r\nVia: d\r\nX-C: 3\r\nCookie: e\r\n\r\n"
        )
        var buffer = ByteBuffer()
        ChunkedEncoding.writeLastChunk(trailers: trailers, into: &buffer)
        #expect(String(buffer: buffer) == "0\r\nX-A:  1 \r\nx-b: 2\r\nX-C: 3\r\n\r\n")
    }

    @Test func `A trailer section of which nothing is left is none`() throws {
        #expect(try Reading.trailers("0\r\n\r\n") == nil)
        #expect(try Reading.trailers("0\r\nParaph-Account: a\r\nProxy-Authorization: b\r\n\r\n") == nil)
    }

    @Test(arguments: ["content-length: 1", "Transfer-Encoding: chunked", "HOST: h", "Connection: x", "Upgrade: x"])
    func `A trailer that would change framing, routing or the connection is refused`(_ line: String) {
        #expect(throws: MessageError.trailerFieldForbidden) { try Reading.trailers("0\r\nX: y\r\n\(line)\r\n\r\n") }
    }
}
