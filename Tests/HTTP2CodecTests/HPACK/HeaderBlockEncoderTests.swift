import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

@Suite struct HeaderBlockEncoderTests {
    private func hexadecimal(_ buffer: ByteBuffer) -> String {
        buffer.readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func block(
        _ head: String,
        target: String? = nil,
        dropping: KnownFieldSet = [],
        appending: AppendedFields = [:],
        neverIndexing secret: String? = nil,
        by encoder: inout HeaderBlockEncoder
    ) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        encoder.write(
            request: try HTTP1Heads.request(head),
            scheme: .https,
            authority: ByteBuffer(string: "h"),
            target: target.map(ByteBuffer.init(string:)),
            dropping: dropping,
            appending: appending,
            neverIndexing: secret.map { Array($0.utf8) },
            into: &buffer
        )
        return buffer
    }

    /// The lines that a fresh pair of encoder and decoder makes of a request.
    private func arrived(
        _ head: String,
        target: String? = nil,
        dropping: KnownFieldSet = [],
        appending: AppendedFields = [:]
    ) throws -> String {
        var encoder = HeaderBlockEncoder()
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        let block = try block(head, target: target, dropping: dropping, appending: appending, by: &encoder)
        return String(buffer: try decoder.request(block, endsStream: false).bytes)
    }

    @Test func `A request is encoded byte by byte as RFC 7541 has it`() throws {
        var encoder = HeaderBlockEncoder()
        let block = try block("GET /a HTTP/1.1\r\nHost: x\r\nServer: s\r\nX-A: b\r\n\r\n", by: &encoder)
        #expect(hexadecimal(block) == "8287" + "410168" + "04022f61" + "760173" + "0003782d610162")
        let next = try self.block("POST / HTTP/1.1\r\nHost: x\r\nServer: s\r\nX-A: b\r\n\r\n", by: &encoder)
        #expect(hexadecimal(next) == "8387" + "bf" + "04012f" + "be" + "0003782d610162")
    }

    @Test func `A response is encoded byte by byte as RFC 7541 has it`() throws {
        var encoder = HeaderBlockEncoder()
        var block = ByteBuffer()
        encoder.write(
            response: try HTTP1Heads.response("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
            dropping: [],
            appending: ["Via": "v"],
            into: &block
        )
        #expect(hexadecimal(block) == "88" + "0f0d0135" + "7c0176")
        block.clear()
        encoder.write(status: 431, fields: ["content-length": "0"], into: &block)
        #expect(hexadecimal(block) == "0803343331" + "0f0d0130")
        block.clear()
        for status in [200, 204, 206, 304, 400, 404, 500] {
            encoder.write(status: status, fields: [:], into: &block)
        }
        #expect(hexadecimal(block) == "88898a8b8c8d8e")
    }

    @Test func `Credentials are never indexed`() throws {
        var encoder = HeaderBlockEncoder()
        for _ in 0..<3 {
            let block = try block(
                "GET / HTTP/1.1\r\nHost: h\r\nCookie: c\r\nproxy-AUTHORIZATION: p\r\nSet-Cookie: s\r\n\r\n",
                appending: ["Authorization": "a"],
                by: &encoder
            )
            #expect(hexadecimal(block).hasSuffix("04012f" + "1f110163" + "1f220170" + "1f280173" + "1f080161"))
        }
    }

    @Test func `A field that is named is never indexed, the request's own or one that is added`() throws {
        var encoder = HeaderBlockEncoder()
        for _ in 0..<2 {
            let block = try block(
                "GET / HTTP/1.1\r\nHost: h\r\nX-Key: c\r\nX-Keys: d\r\n\r\n",
                appending: ["X-KEY": "a"],
                neverIndexing: "x-key",
                by: &encoder
            )
            let own = "1005782d6b65790163" + "0006782d6b6579730164"
            #expect(hexadecimal(block).hasSuffix("04012f" + own + "1005782d6b65790161"))
        }
        let known = try block(
            "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: a\r\n\r\n",
            neverIndexing: "user-agent",
            by: &encoder
        )
        #expect(hexadecimal(known).hasSuffix("04012f" + "1f2b0161"))
    }

    @Test func `What belongs to a connection stays behind`() throws {
        let head =
            "GET / HTTP/1.1\r\nHost: other\r\nConnection: keep-alive, x-hop, te\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n"
            + "TE: trailers\r\nProxy-Connection: keep-alive\r\nUpgrade: x\r\nHTTP2-Settings: y\r\nX-B: 2\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
        #expect(try arrived(head) == "GET / HTTP/2\r\nhost: h\r\nx-b: 2\r\n\r\n")
    }

    @Test(arguments: [("trailers", true), ("Trailers", true), ("gzip", false), ("trailers, gzip", false), ("", false)])
    func `TE is kept only as trailers`(_ value: String, _ isKept: Bool) throws {
        let arrived = try arrived("GET / HTTP/1.1\r\nHost: h\r\nTE: \(value)\r\n\r\n")
        #expect(arrived == "GET / HTTP/2\r\nhost: h\r\n" + (isKept ? "te: \(value)\r\n" : "") + "\r\n")
    }

    @Test func `A request is edited on its way`() throws {
        #expect(
            try arrived(
                "PATCH http://h/a HTTP/1.1\r\nHost: h\r\nDate: d\r\nA: b\r\n\r\n",
                target: "/a?b",
                dropping: [.date],
                appending: ["Via": "v", "X-Empty": "", "CONNECTION": "close", "X-C": "d"]
            ) == "PATCH /a?b HTTP/2\r\nhost: h\r\na: b\r\nvia: v\r\nx-empty: \r\nx-c: d\r\n\r\n"
        )
        #expect(try arrived("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n") == "OPTIONS * HTTP/2\r\nhost: h\r\n\r\n")
    }

    @Test(arguments: ["100", "103", "204"])
    func `A response that never has a body loses its length`(_ status: String) throws {
        var block = ByteBuffer()
        var encoder = HeaderBlockEncoder()
        encoder.write(
            response: try HTTP1Heads.response("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nA: b\r\n\r\n"),
            dropping: [],
            appending: [:],
            into: &block
        )
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        let head = try decoder.response(block, endsStream: false, to: .get)
        #expect(String(buffer: head.bytes) == "HTTP/2.0 \(status) \r\na: b\r\n\r\n")
    }

    @Test func `Trailers are encoded`() throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        let section = try decoder.trailers(Block(["grpc-status: 0", "x: y"]).buffer)
        var block = ByteBuffer()
        var encoder = HeaderBlockEncoder()
        encoder.write(trailers: section, into: &block)
        #expect(try HTTP1Heads.lines(decoder.trailers(block)) == ["grpc-status: 0", "x: y"])
    }

    @Test func `Values that do not come again leave those that do in the table`() throws {
        var encoder = HeaderBlockEncoder()
        var sizes: [Int] = []
        for number in 0..<40 {
            let agent = number % 2 == 0 ? "always the same" : "another each time \(number)"
            let head = "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: \(agent)\r\n\r\n"
            sizes.append(try block(head, by: &encoder).readableBytes)
        }
        #expect(stride(from: 2, to: 40, by: 2).allSatisfy { sizes[$0] == 7 })
    }

    @Test func `A value that has given way to another is forgotten`() throws {
        var encoder = HeaderBlockEncoder()
        var sizes: [Int] = []
        for agent in ["old"] + [String](repeating: "new", count: 12) {
            let head = "GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: \(agent)\r\n\r\n"
            sizes.append(try block(head, by: &encoder).readableBytes)
        }
        #expect(sizes.last == 7)
    }

    @Test func `A value of more than a frame is encoded`() throws {
        let value = String(repeating: "v", count: 40_000)
        let arrived = try arrived("GET / HTTP/1.1\r\nHost: h\r\nServer: \(value)\r\nX: y\r\n\r\n")
        #expect(arrived == "GET / HTTP/2\r\nhost: h\r\nserver: \(value)\r\nx: y\r\n\r\n")
    }

    @Test func `A limit of the peer is acknowledged once and kept`() throws {
        let head = "GET / HTTP/1.1\r\nHost: h\r\nServer: s\r\n\r\n"
        var encoder = HeaderBlockEncoder()
        _ = try block(head, by: &encoder)
        encoder.peerTableLimit(0)
        #expect(
            try hexadecimal(block(head, by: &encoder)) == "20" + "8287" + "010168" + "04012f" + "0f270173"
        )
        #expect(try hexadecimal(block(head, by: &encoder)) == "8287" + "010168" + "04012f" + "0f270173")
        encoder.peerTableLimit(100_000)
        #expect(try hexadecimal(block(head, by: &encoder)).hasPrefix("3fe11f" + "8287"))
        encoder.peerTableLimit(10)
        encoder.peerTableLimit(200)
        #expect(try hexadecimal(block(head, by: &encoder)).hasPrefix("2a" + "3fa901" + "8287"))
        encoder.peerTableLimit(200)
        #expect(try hexadecimal(block(head, by: &encoder)).hasPrefix("8287"))
    }
}
