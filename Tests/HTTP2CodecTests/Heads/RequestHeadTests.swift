import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// RFC 9113, section 8.3.1, and what HTTP/1.1 asks of a request.
@Suite struct RequestHeadTests {
    private static let start = [":method: GET", ":scheme: https", ":authority: h", ":path: /"]
    private static let line = "GET / HTTP/2\r\nhost: h\r\n"

    static let cases: [HeadCase] = [
        HeadCase("the least request", start, lines: line + "\r\n"),
        HeadCase("pseudo-fields in another order", start.reversed(), lines: line + "\r\n"),
        HeadCase("a field", start + ["x-a: b c"], lines: line + "x-a: b c\r\n\r\n"),
        HeadCase("an empty value", start + ["x-a: "], lines: line + "x-a: \r\n\r\n"),
        HeadCase("a name of odd tokens", start + ["!#$%&'*+-.^_`|~0: b"], lines: line + "!#$%&'*+-.^_`|~0: b\r\n\r\n"),
        HeadCase("a tab inside a value", start + ["x-a: b\tc"], lines: line + "x-a: b\tc\r\n\r\n"),
        HeadCase("TE with trailers", start + ["te: trailers"], lines: line + "te: trailers\r\n\r\n"),
        HeadCase("the same Host", start + ["host: H", "a: b"], lines: line + "a: b\r\n\r\n"),
        HeadCase(
            "a Host instead of :authority",
            [":method: GET", ":scheme: http", ":path: /", "a: b", "host: h:80"],
            lines: "GET / HTTP/2\r\na: b\r\nhost: h:80\r\n\r\n"
        ),
        HeadCase(
            "an OPTIONS of the server",
            [":method: OPTIONS", ":scheme: https", ":authority: h", ":path: *"],
            lines: "OPTIONS * HTTP/2\r\nhost: h\r\n\r\n"
        ),
        HeadCase(
            "a method of WebDAV",
            [":method: PROPFIND"] + start[1...],
            lines: "PROPFIND" + line.dropFirst(3) + "\r\n"
        ),
        HeadCase("a scheme in capitals", [start[0], ":scheme: HTTPS"] + start[2...], lines: line + "\r\n"),
        HeadCase(
            "crumbs of a cookie",
            start + ["cookie: a=b", "x: y", "cookie: c=d", "cookie: e"],
            lines: line + "x: y\r\ncookie: a=b; c=d; e\r\n\r\n"
        ),
        HeadCase(
            "empty crumbs of a cookie",
            start + ["cookie: ", "cookie: a", "cookie: ", "cookie: b", "cookie: "],
            lines: line + "cookie: a; b\r\n\r\n"
        ),
        HeadCase("an empty cookie", start + ["cookie: "], lines: line + "cookie: \r\n\r\n"),
        HeadCase("a length of nothing", start + ["content-length: 0"], lines: line + "content-length: 0\r\n\r\n"),
        HeadCase(
            "a length of a body",
            start + ["content-length: 5"],
            lines: line + "content-length: 5\r\n\r\n",
            endsStream: false
        ),

        HeadCase("no field at all", [], refused: "pseudo_field_missing"),
        HeadCase("no :method", Array(start[1...]), refused: "pseudo_field_missing"),
        HeadCase("no :scheme", [start[0], start[2], start[3]], refused: "pseudo_field_missing"),
        HeadCase("no :path", Array(start[..<3]), refused: "pseudo_field_missing"),
        HeadCase("neither :authority nor Host", [start[0], start[1], start[3]], refused: "host_missing"),
        HeadCase("two :method", start + [":method: GET"], refused: "pseudo_field_repeated"),
        HeadCase("two :scheme", start + [":scheme: https"], refused: "pseudo_field_repeated"),
        HeadCase("two :authority", start + [":authority: h"], refused: "pseudo_field_repeated"),
        HeadCase("two :path", start + [":path: /"], refused: "pseudo_field_repeated"),
        HeadCase("a :status", start + [":status: 200"], refused: "pseudo_field_unknown"),
        HeadCase("a :protocol", start + [":protocol: websocket"], refused: "pseudo_field_unknown"),
        HeadCase("a pseudo-field without a name", start + [":: a"], refused: "pseudo_field_unknown"),
        HeadCase("a pseudo-field in capitals", [":Method: GET"] + start[1...], refused: "pseudo_field_unknown"),
        HeadCase(
            "a pseudo-field behind a field",
            [start[0], start[1], start[3], "a: b", start[2]],
            refused: "pseudo_field_misplaced"
        ),
        HeadCase("CONNECT", [":method: CONNECT", ":authority: h:443"], refused: "connect_unsupported"),
        HeadCase(
            "an extended CONNECT",
            [":method: CONNECT", ":protocol: websocket"] + start[1...],
            refused: "pseudo_field_unknown"
        ),
        HeadCase("CONNECT with everything", [":method: CONNECT"] + start[1...], refused: "connect_unsupported"),
        HeadCase("a method with a space", [":method: GET /x"] + start[1...], refused: "method_malformed"),
        HeadCase("an empty method", [":method: "] + start[1...], refused: "method_malformed"),
        HeadCase("an unknown scheme", [start[0], ":scheme: ftp"] + start[2...], refused: "scheme_unknown"),
        HeadCase("an empty scheme", [start[0], ":scheme: "] + start[2...], refused: "scheme_unknown"),
        HeadCase("user information", [start[0], start[1], ":authority: u@h", start[3]], refused: "host_malformed"),
        HeadCase(
            "user information with a password",
            [start[0], start[1], ":authority: u:p@h", start[3]],
            refused: "host_malformed"
        ),
        HeadCase("an empty :authority", [start[0], start[1], ":authority: ", start[3]], refused: "host_malformed"),
        HeadCase("a path in :authority", [start[0], start[1], ":authority: h/x", start[3]], refused: "host_malformed"),
        HeadCase(
            "a port out of range",
            [start[0], start[1], ":authority: h:65536", start[3]],
            refused: "host_malformed"
        ),
        HeadCase("another Host", start + ["host: g"], refused: "host_differs"),
        HeadCase("a Host with a port", start + ["host: h:443"], refused: "host_differs"),
        HeadCase("an empty Host", [start[0], start[1], start[3], "host: "], refused: "host_malformed"),
        HeadCase(
            "a Host with user information",
            [start[0], start[1], start[3], "host: u@h"],
            refused: "host_malformed"
        ),
        HeadCase("two Host fields", start + ["host: h", "host: h"], refused: "host_repeated"),
        HeadCase(
            "two Host fields without :authority",
            [start[0], start[1], start[3], "host: h", "host: h"],
            refused: "host_repeated"
        ),
        HeadCase("an empty path", Array(start[..<3]) + [":path: "], refused: "target_malformed"),
        HeadCase("a path without a slash", Array(start[..<3]) + [":path: x"], refused: "target_malformed"),
        HeadCase("a query without a path", Array(start[..<3]) + [":path: ?x"], refused: "target_malformed"),
        HeadCase("an absolute URL as path", Array(start[..<3]) + [":path: https://h/"], refused: "target_malformed"),
        HeadCase("a path with a space", Array(start[..<3]) + [":path: /a b"], refused: "target_malformed"),
        HeadCase("a path with a fragment", Array(start[..<3]) + [":path: /a#b"], refused: "target_malformed"),
        HeadCase("a path that is not ASCII", Array(start[..<3]) + [":path: /ä"], refused: "target_malformed"),
        HeadCase(
            "a path with CR LF",
            Array(start[..<3]) + [":path: /a HTTP/1.1\r\nx: y"],
            refused: "field_value_malformed"
        ),
        HeadCase("an asterisk without OPTIONS", Array(start[..<3]) + [":path: *"], refused: "target_malformed"),
        HeadCase("a name in capitals", start + ["X-a: b"], refused: "field_name_malformed"),
        HeadCase("a known name in capitals", start + ["Content-Length: 0"], refused: "field_name_malformed"),
        HeadCase("an empty name", start + [""], refused: "field_name_malformed"),
        HeadCase("a name with a space", start + ["a b: c"], refused: "field_name_malformed"),
        HeadCase("a name with a colon", start + ["a:b: c"], refused: "field_name_malformed"),
        HeadCase("a name with CR LF", start + ["a\r\nb: c"], refused: "field_name_malformed"),
        HeadCase("a name that is not ASCII", start + ["ä: c"], refused: "field_name_malformed"),
        HeadCase("a value with CR LF", start + ["a: b\r\nc: d"], refused: "field_value_malformed"),
        HeadCase("a value with LF", start + ["a: b\nc"], refused: "field_value_malformed"),
        HeadCase("a value with CR", start + ["a: b\rc"], refused: "field_value_malformed"),
        HeadCase("a value with NUL", start + ["a: b\0"], refused: "field_value_malformed"),
        HeadCase("a value with DEL", start + ["a: b\u{7f}"], refused: "field_value_malformed"),
        HeadCase("a value that begins with a space", start + ["a:  b"], refused: "field_value_malformed"),
        HeadCase("a value that ends with a space", start + ["a: b "], refused: "field_value_malformed"),
        HeadCase("a value that begins with a tab", start + ["a: \tb"], refused: "field_value_malformed"),
        HeadCase("a value that is a tab", start + ["a: \t"], refused: "field_value_malformed"),
        HeadCase("Connection", start + ["connection: close"], refused: "connection_field"),
        HeadCase("an empty Connection", start + ["connection: "], refused: "connection_field"),
        HeadCase("Keep-Alive", start + ["keep-alive: timeout=5"], refused: "connection_field"),
        HeadCase("Proxy-Connection", start + ["proxy-connection: keep-alive"], refused: "connection_field"),
        HeadCase("Transfer-Encoding", start + ["transfer-encoding: chunked"], refused: "connection_field"),
        HeadCase("Upgrade", start + ["upgrade: websocket"], refused: "connection_field"),
        HeadCase("TE with gzip", start + ["te: gzip"], refused: "te_malformed"),
        HeadCase("TE with more than trailers", start + ["te: trailers, gzip"], refused: "te_malformed"),
        HeadCase("an empty TE", start + ["te: "], refused: "te_malformed"),
        HeadCase("a length without a body", start + ["content-length: 1"], refused: "content_length_without_body"),
        HeadCase(
            "two lengths",
            start + ["content-length: 0", "content-length: 0"],
            refused: "content_length_repeated"
        ),
        HeadCase("a list of lengths", start + ["content-length: 0, 0"], refused: "content_length_malformed"),
        HeadCase("a negative length", start + ["content-length: -1"], refused: "content_length_malformed"),
        HeadCase("an empty length", start + ["content-length: "], refused: "content_length_malformed"),
    ]

    @Test(arguments: cases) func `A request is taken or refused as the table says`(_ each: HeadCase) throws {
        try each.check { decoder, block in try decoder.request(block, endsStream: each.endsStream).bytes }
    }

    private func head(_ fields: [String], endsStream: Bool) throws -> RequestHead {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        return try decoder.request(Block(Self.start + fields).buffer, endsStream: endsStream)
    }

    @Test func `A head says what its fields mean`() throws {
        let head = try head(["content-length: 5", "expect: 100-continue", "x: y"], endsStream: false)
        #expect(head.method == .get)
        #expect(head.version == .http2)
        #expect(head.scheme == .https)
        #expect(head.targetForm == .origin)
        #expect(String(buffer: head.methodBytes) == "GET")
        #expect(String(buffer: head.target) == "/")
        #expect(head.framing == .length(5))
        #expect(head.expectsContinue)
        #expect(head.keepAlive)
        #expect(head.fields.string(of: .host) == "h")
        #expect(head.fields.string(of: .contentLength) == "5")
        #expect(head.fields.contains(.expect))
        #expect(!head.fields.contains(.cookie))
        #expect(head.fields.map { String(buffer: $0.name) } == ["host", "content-length", "expect", "x"])
        #expect(head.fields.map { String(buffer: $0.value) } == ["h", "5", "100-continue", "y"])
    }

    @Test func `Framing depends on the end of the stream`() throws {
        #expect(try head([], endsStream: true).framing == .none)
        #expect(try head([], endsStream: false).framing == .endOfStream)
        #expect(try head(["content-length: 0"], endsStream: true).framing == .none)
        #expect(try head(["content-length: 0"], endsStream: false).framing == .length(0))
        #expect(try !head(["expect: 100-continue"], endsStream: true).expectsContinue)
        #expect(try head(["expect: 100-continue"], endsStream: false).expectsContinue)
    }

    @Test func `A head is written as HTTP 1 1`() throws {
        var buffer = ByteBuffer()
        try head(["a: b", "cookie: c", "date: d"], endsStream: true)
            .write(into: &buffer, dropping: [.date], appending: ["Via": "v"])
        #expect(String(buffer: buffer) == "GET / HTTP/1.1\r\nhost: h\r\na: b\r\ncookie: c\r\nVia: v\r\n\r\n")
    }

    @Test func `Of malformed heads only those with two hosts, or too large, are answered`() {
        #expect(HeaderBlockError.tooLarge.status == 431)
        #expect(HeaderBlockError.malformed(.hostDiffers).status == 400)
        #expect(HeaderBlockError.compression.status == nil)
    }
}
