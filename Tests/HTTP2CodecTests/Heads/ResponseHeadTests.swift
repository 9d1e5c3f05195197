import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// RFC 9113, section 8.3.2, trailer sections, and what HTTP/1.1 asks of either.
@Suite struct ResponseHeadTests {
    static let responses: [HeadCase] = [
        HeadCase("the least response", [":status: 200"], lines: "HTTP/2.0 200 \r\n\r\n"),
        HeadCase("a status of its own", [":status: 999", "a: b"], lines: "HTTP/2.0 999 \r\na: b\r\n\r\n"),
        HeadCase(
            "cookies",
            [":status: 200", "set-cookie: a", "set-cookie: b"],
            lines: "HTTP/2.0 200 \r\nset-cookie: a\r\nset-cookie: b\r\n\r\n"
        ),
        HeadCase(
            "an informational one",
            [":status: 103", "link: a"],
            lines: "HTTP/2.0 103 \r\nlink: a\r\n\r\n",
            endsStream: false
        ),
        HeadCase(
            "the length that a HEAD asked for",
            [":status: 200", "content-length: 5"],
            lines: "HTTP/2.0 200 \r\ncontent-length: 5\r\n\r\n",
            method: .head
        ),
        HeadCase(
            "the length of what a 304 stands for",
            [":status: 304", "content-length: 5"],
            lines: "HTTP/2.0 304 \r\ncontent-length: 5\r\n\r\n"
        ),
        HeadCase("no status", ["a: b"], refused: "pseudo_field_missing"),
        HeadCase("no field at all", [], refused: "pseudo_field_missing"),
        HeadCase("two statuses", [":status: 200", ":status: 200"], refused: "pseudo_field_repeated"),
        HeadCase("a status behind a field", ["a: b", ":status: 200"], refused: "pseudo_field_missing"),
        HeadCase(
            "a second status behind a field",
            [":status: 200", "a: b", ":status: 200"],
            refused: "pseudo_field_misplaced"
        ),
        HeadCase("a pseudo-field of requests", [":status: 200", ":path: /"], refused: "pseudo_field_unknown"),
        HeadCase("two digits", [":status: 20"], refused: "status_malformed"),
        HeadCase("four digits", [":status: 2000"], refused: "status_malformed"),
        HeadCase("no digits", [":status: abc"], refused: "status_malformed"),
        HeadCase("a status below 100", [":status: 099"], refused: "status_malformed"),
        HeadCase("an empty status", [":status: "], refused: "status_malformed"),
        HeadCase("a reason phrase", [":status: 200 OK"], refused: "status_malformed"),
        HeadCase("switching protocols", [":status: 101"], refused: "switching_protocols", endsStream: false),
        HeadCase("an informational one that ends the stream", [":status: 100"], refused: "interim_ends_stream"),
        HeadCase(
            "a length without a body",
            [":status: 200", "content-length: 5"],
            refused: "content_length_without_body"
        ),
        HeadCase(
            "two lengths",
            [":status: 200", "content-length: 5", "content-length: 5"],
            refused: "content_length_repeated",
            endsStream: false
        ),
        HeadCase("Connection", [":status: 200", "connection: close"], refused: "connection_field"),
        HeadCase("Transfer-Encoding", [":status: 200", "transfer-encoding: chunked"], refused: "connection_field"),
        HeadCase("TE, which only requests have", [":status: 200", "te: trailers"], refused: "te_malformed"),
        HeadCase("two Host fields", [":status: 200", "host: h", "host: h"], refused: "host_repeated"),
        HeadCase("a name in capitals", [":status: 200", "Server: s"], refused: "field_name_malformed"),
        HeadCase("a value with LF", [":status: 200", "a: b\n"], refused: "field_value_malformed"),
    ]

    static let trailers: [HeadCase] = [
        HeadCase("nothing", [], lines: "\r\n"),
        HeadCase("a field", ["grpc-status: 0"], lines: "grpc-status: 0\r\n\r\n"),
        HeadCase(
            "fields that mean nothing here",
            ["date: d", "a: b", "te: trailers", "cookie: c"],
            lines: "a: b\r\n\r\n"
        ),
        HeadCase("a pseudo-field", [":status: 200"], refused: "pseudo_field_misplaced"),
        HeadCase("an unknown pseudo-field", ["a: b", ":x: y"], refused: "pseudo_field_misplaced"),
        HeadCase("Content-Length", ["content-length: 0"], refused: "trailer_field_forbidden"),
        HeadCase("Host", ["host: h"], refused: "trailer_field_forbidden"),
        HeadCase("Transfer-Encoding", ["transfer-encoding: chunked"], refused: "connection_field"),
        HeadCase("a name in capitals", ["A: b"], refused: "field_name_malformed"),
        HeadCase("a value with CR", ["a: b\rc"], refused: "field_value_malformed"),
    ]

    @Test(arguments: responses) func `A response is taken or refused as the table says`(_ each: HeadCase) throws {
        try each.check { decoder, block in
            try decoder.response(block, endsStream: each.endsStream, to: each.method).bytes
        }
    }

    @Test(arguments: trailers) func `A trailer section is taken or refused as the table says`(_ each: HeadCase) throws {
        try each.check { decoder, block in try decoder.trailers(block).bytes }
    }

    private func head(
        _ status: Int,
        _ fields: [String] = [],
        endsStream: Bool = false,
        to method: RequestMethod = .get
    ) throws -> ResponseHead {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        return try decoder.response(
            Block([":status: \(status)"] + fields).buffer,
            endsStream: endsStream,
            to: method
        )
    }

    @Test func `Framing depends on status, method and the end of the stream`() throws {
        #expect(try head(200).framing == .endOfStream)
        #expect(try head(200, endsStream: true).framing == .none)
        #expect(try head(200, ["content-length: 5"]).framing == .length(5))
        #expect(try head(200, ["content-length: 0"], endsStream: true).framing == .none)
        for bodiless in [100, 103, 199, 204, 304] { #expect(try head(bodiless).framing == .none) }
        #expect(try head(200, ["content-length: 5"], to: .head).framing == .none)
        #expect(try head(200, ["content-length: 5"], endsStream: true, to: .head).framing == .none)
    }

    @Test func `A head says what it is`() throws {
        let head = try head(404, ["server: s", "x: y"])
        #expect(head.status == 404)
        #expect(head.version == .http2)
        #expect(head.reason.readableBytes == 0)
        #expect(head.keepAlive)
        #expect(!head.isInformational)
        #expect(try self.head(103).isInformational)
        #expect(head.fields.map { String(buffer: $0.name) } == ["server", "x"])
    }

    @Test func `A head is written as HTTP 1 1`() throws {
        var buffer = ByteBuffer()
        try head(204, ["a: b", "content-length: 0", "date: d"])
            .write(into: &buffer, dropping: [.date], appending: ["Via": "v"])
        #expect(String(buffer: buffer) == "HTTP/1.1 204 \r\na: b\r\nVia: v\r\n\r\n")
    }
}
