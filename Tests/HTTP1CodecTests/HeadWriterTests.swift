import HTTP1Codec
import NIOCore
import Testing

@Suite struct HeadWriterTests {
    private func written(
        _ text: String,
        target: String? = nil,
        dropping: KnownFieldSet = [],
        appending: AppendedFields = [:]
    ) throws -> String {
        var buffer = ByteBuffer()
        try Reading.requestHead(text).write(
            into: &buffer,
            target: target.map(ByteBuffer.init(string:)),
            dropping: dropping,
            appending: appending
        )
        return String(buffer: buffer)
    }

    private func writtenResponse(
        _ text: String,
        dropping: KnownFieldSet = [],
        appending: AppendedFields = [:]
    ) throws -> String {
        var buffer = ByteBuffer()
        try Reading.responseHead(text).write(
            into: &buffer,
            dropping: dropping,
            appending: appending
        )
        return String(buffer: buffer)
    }

    @Test func `A request head from which nothing is dropped is written as it came`() throws {
        let text = "GET /a?b=%7e&C=%7E HTTP/1.1\r\nhOsT:  example.com \r\nX-A:\t1\r\nx-a:\r\n\r\n"
        #expect(try written(text) == text)
    }

    @Test func `A request head without fields is written whole`() throws {
        #expect(try written("GET / HTTP/1.0\r\n\r\n") == "GET / HTTP/1.1\r\n\r\n")
        #expect(try written("GET / HTTP/1.0\r\n\r\n", appending: ["A": "b"]) == "GET / HTTP/1.1\r\nA: b\r\n\r\n")
    }

    @Test(arguments: [
        ("host", "GET / HTTP/1.1\r\nVia: a\r\nX: 1\r\nVia: b\r\nDate: d\r\n\r\n"),
        ("via", "GET / HTTP/1.1\r\nHost: h\r\nX: 1\r\nDate: d\r\n\r\n"),
        ("date", "GET / HTTP/1.1\r\nHost: h\r\nVia: a\r\nX: 1\r\nVia: b\r\n\r\n"),
        ("host via date", "GET / HTTP/1.1\r\nX: 1\r\n\r\n"),
        ("cookie", "GET / HTTP/1.1\r\nHost: h\r\nVia: a\r\nX: 1\r\nVia: b\r\nDate: d\r\n\r\n"),
    ])
    func `Dropped names lose every line, wherever it stands`(_ names: String, _ expected: String) throws {
        var dropping = KnownFieldSet()
        for field in KnownField.allCases where names.split(separator: " ").contains(Substring(field.name)) {
            dropping.insert(field)
        }
        let text = "GET / HTTP/1.1\r\nHost: h\r\nVia: a\r\nX: 1\r\nVia: b\r\nDate: d\r\n\r\n"
        #expect(try written(text, dropping: dropping) == expected)
    }

    @Test func `Nominated lines are left out whatever their spelling`() throws {
        let text =
            "GET / HTTP/1.1\r\nX-HOP: 1\r\nHost: h\r\nConnection: x-hop, Keep-Alive,, absent\r\n"
            + "keep-ALIVE: 5\r\nX-Hop: 2\r\nX-Hope: 3\r\nConnection: TE\r\nTE: trailers\r\n\r\n"
        let expected = "GET / HTTP/1.1\r\nHost: h\r\nX-Hope: 3\r\n\r\n"
        #expect(try written(text, dropping: [.connection]) == expected)
    }

    @Test func `A nomination never reaches a line that is appended`() throws {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nConnection: authorization, x-a\r\nX-A: 1\r\n\r\n"
        let expected = "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: OAuth\r\nX-A: 2\r\n\r\n"
        let appended: AppendedFields = ["Authorization": "OAuth", "X-A": "2"]
        #expect(try written(text, dropping: [.connection], appending: appended) == expected)
    }

    @Test func `A replaced target leaves everything else as it came`() throws {
        let text = "PROPFIND http://h/a?b HTTP/1.1\r\nhost: h\r\nX: y\r\n\r\n"
        #expect(
            try written(text, target: "/a?b&c=%2F") == "PROPFIND /a?b&c=%2F HTTP/1.1\r\nhost: h\r\nX: y\r\n\r\n"
        )
        #expect(try written(text, target: "/", dropping: [.host]) == "PROPFIND / HTTP/1.1\r\nX: y\r\n\r\n")
    }

    @Test func `HTTP 1.0 becomes HTTP 1.1`() throws {
        #expect(try written("GET /x HTTP/1.0\r\nHost: h\r\n\r\n") == "GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    @Test func `Writing appends to what the buffer holds`() throws {
        var buffer = ByteBuffer(string: "before")
        let head = try Reading.requestHead("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        head.write(into: &buffer, target: nil, dropping: [], appending: [:])
        #expect(String(buffer: buffer) == "beforeGET / HTTP/1.1\r\nHost: h\r\n\r\n")
    }

    @Test func `A response head is written as it came, bytes above 0x7F included`() throws {
        let bytes =
            Array("HTTP/1.1 299 \r\nSet-Cookie: a\r\nset-cookie: b\r\nX: ".utf8) + [0xFF, 0x80, 0x0D, 0x0A, 0x0D, 0x0A]
        var decoder = ResponseDecoder()
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(bytes: bytes))
        guard case .head(let head) = try decoder.next() else { throw Reading.Unexpected.event }
        var buffer = ByteBuffer()
        head.write(into: &buffer, dropping: [], appending: [:])
        #expect(Array(buffer.readableBytesView) == bytes)
    }

    @Test(arguments: [
        ("HTTP/1.0 200 Fine, thanks\r\n", "HTTP/1.1 200 Fine, thanks\r\n"),
        ("HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n"),
        ("HTTP/1.0 200\r\n", "HTTP/1.1 200 \r\n"),
        ("HTTP/1.0 200 \r\n", "HTTP/1.1 200 \r\n"),
        ("HTTP/1.1 200 a\tb\r\n", "HTTP/1.1 200 a\tb\r\n"),
    ])
    func `A status line is completed and raised to HTTP 1.1`(_ line: String, _ expected: String) throws {
        #expect(try writtenResponse(line + "X: 1\r\n\r\n") == expected + "X: 1\r\n\r\n")
        #expect(try writtenResponse(line + "\r\n", appending: ["A": "b"]) == expected + "A: b\r\n\r\n")
    }

    @Test(arguments: ["204", "100", "103"])
    func `A response that never has a body loses its framing fields`(_ status: String) throws {
        let text = "HTTP/1.1 \(status) X\r\nContent-Length: 5\r\nX: 1\r\n\r\n"
        #expect(try writtenResponse(text) == "HTTP/1.1 \(status) X\r\nX: 1\r\n\r\n")
    }

    @Test func `A 304 keeps the length of what it stands for`() throws {
        let text = "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"
        #expect(try writtenResponse(text) == text)
    }

    @Test func `A response that nominates its framing keeps it`() throws {
        let text =
            "HTTP/1.1 200 OK\r\nConnection: transfer-encoding, x-a\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
        let expected = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try writtenResponse(text, dropping: [.connection]) == expected)
    }
}
