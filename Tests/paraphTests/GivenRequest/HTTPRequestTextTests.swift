import Testing

@testable import paraph

@Suite("A request as HTTP/1.1 writes it")
struct HTTPRequestTextTests {
    private func read(_ text: String) throws -> GivenRequest { try RequestText.request(Array(text.utf8)) }

    @Test("The head and the body are read, whatever ends the lines")
    func whole() throws {
        for end in ["\r\n", "\n"] {
            let head = ["POST /r?a=1 HTTP/1.1", "Host: api.example.com", "X-Long: one", "  two ", "Empty:", "", ""]
            let request = try read(head.joined(separator: end) + "a=b&c=d")
            #expect(request.format == .http && request.method == "POST" && request.target == "/r?a=1")
            #expect(try request.url == "https://api.example.com/r?a=1")
            #expect(request.fieldValue("x-long") == "one two" && request.fieldValue("empty") == "")
            #expect(request.body == Array("a=b&c=d".utf8) && request.notes.isEmpty)
        }
    }

    @Test("A URL in the place of the path has its scheme and host")
    func absolute() throws {
        let request = try read("GET http://api.example.com:81/r HTTP/1.1\nHost: other")
        #expect(try request.url == "http://api.example.com:81/r")
        #expect(request.fieldValue("Host") == "other" && request.body == nil)
    }

    @Test(
        "The body is as long as the fields say, and without them ends with the file",
        arguments: [
            ("Content-Length: 3\n\na=b\n", "a=b"), ("Content-Length: 0\n\n", nil), ("\n\n", nil), ("", nil),
            ("\na=b\r\n", "a=b"), ("\na=b\n\n", "a=b\n"),
            ("Transfer-Encoding: chunked\n\n3\r\na=b\r\n2;x=y\r\nc\n\r\n0\r\n\r\n", "a=bc\n"),
        ]
    )
    func body(rest: String, body: String?) throws {
        let request = try read("POST / HTTP/1.1\nHost: h\n" + rest)
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == body)
    }

    @Test("A body that is shorter than it should be is told")
    func short() throws {
        let request = try read("POST / HTTP/1.1\nHost: h\nContent-Length: 9\n\na=b")
        #expect(request.notes.count == 1 && request.notes[0].contains("9 bytes, and 3 follow"))
    }

    @Test("What curl --verbose prints is a request, too")
    func verbose() throws {
        let request = try read("> GET /x HTTP/2\r\n> Host: h\r\n> Accept: */*\r\n>\r\n< HTTP/2 200\r\n< x: y\r\n")
        #expect(request.target == "/x" && request.fields.count == 2 && request.body == nil)
    }

    @Test("A head of HTTP/2 is read as browsers show it, whatever ends the lines and ends it")
    func pseudoFields() throws {
        for end in ["\r\n", "\n"] {
            let head = [
                ":authority: api.example.com:81", ":method: POST", ":path: /r?a=b:c", ":scheme: http", "accept: */*",
                "content-length: 3",
            ]
            let request = try read((head + ["", "a=b"]).joined(separator: end))
            #expect(request.format == .http && request.method == "POST" && request.target == "/r?a=b:c")
            #expect(try request.url == "http://api.example.com:81/r?a=b:c")
            #expect(request.fields.count == 3 && request.body == Array("a=b".utf8))
            #expect(try read(head[..<3].joined(separator: end)).url == "https://api.example.com:81/r?a=b:c")
        }
    }

    @Test(
        "A head of HTTP/2 that lacks something is refused with what to give",
        arguments: [
            (":method: GET\n:scheme: https\n\n", "no :path"), (":path: /r\n:authority: h\n", "no :method"),
            (":authority\nh\n:method\nGET\n", "line 1, :authority, has no value"),
            (":method: GET\n:path:\n/r\n", "line 2, :path:, has no value"),
            (":method: OPTIONS\n:path: *\n", "has no path"),
        ]
    )
    func malformedPseudoFields(text: String, words: String) throws {
        let error = #expect(throws: GivenRequestError.self) { try read(text) }
        #expect(try #require(error).description.contains(words), "\(String(describing: error))")
    }

    @Test(
        "What is malformed is told with its line",
        arguments: [
            ("GET / HTTP/1.1\nHost: h\nno field\n", "line 3"), ("GET / HTTP/1.1\n: x\n", "line 2"),
            ("CONNECT h:443 HTTP/1.1\n\n", "h:443"), ("OPTIONS * HTTP/1.1\n\n", "\"*\""),
            ("POST / HTTP/1.1\nContent-Length: -1\n\n", "Content-Length"),
            ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\nz\n", "line 4"),
            ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\nff\na\n", "line 4"),
            ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n1\nab\n", "line 5"),
            ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n-1\n", "line 4"),
        ]
    )
    func malformed(text: String, words: String) throws {
        let error = #expect(throws: GivenRequestError.self) { try read(text) }
        #expect(try #require(error).description.contains(words), "\(String(describing: error))")
    }

    @Test("Bytes that are no text are refused in the head, and kept in the body")
    func bytes() throws {
        let head = Array("POST / HTTP/1.1\nHost: h\n".utf8)
        #expect(throws: GivenRequestError.malformed(.http, "line 3 is not UTF-8.")) {
            try RequestText.request(head + [0x58, 0x3A, 0xFF, 0x0A])
        }
        #expect(try RequestText.request(head + [0x0A, 0xFF, 0x00]).body == [0xFF, 0x00])
    }
}
