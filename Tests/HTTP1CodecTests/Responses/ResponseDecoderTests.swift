import HTTP1Codec
import NIOCore
import Testing

@Suite struct ResponseDecoderTests {
    private func decoder(_ text: String, to methods: RequestMethod...) -> ResponseDecoder {
        var decoder = ResponseDecoder()
        for method in methods { decoder.expect(responseTo: method) }
        decoder.append(ByteBuffer(string: text))
        return decoder
    }

    private func events(_ decoder: inout ResponseDecoder) throws -> [String] {
        var events: [String] = []
        while let event = try decoder.next() { events.append(event.description) }
        return events
    }

    @Test func `A chunked response is decoded and its trailers are kept`() throws {
        var decoder = decoder(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n",
            to: .get
        )
        #expect(try events(&decoder) == ["head 200", "body abc", "end [\"X-T: 1\"]"])
        #expect(try decoder.finish() == nil)
    }

    @Test func `A response tells what it is`() throws {
        let head = try Reading.responseHead(
            "HTTP/1.0 599 Quite bad\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(head.version == .http10)
        #expect(head.status == 599)
        #expect(String(buffer: head.reason) == "Quite bad")
        #expect(head.framing == .length(0))
        #expect(head.keepAlive)
        #expect(!head.isInformational)
    }

    @Test(arguments: [
        (RequestMethod.head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        (.head, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), (.head, "HTTP/1.1 200 OK\r\n\r\n"),
        (.get, "HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\n"), (.get, "HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\n"),
    ])
    func `A response without body ends with its head and keeps the connection`(
        _ method: RequestMethod,
        _ text: String
    ) throws {
        #expect(try Reading.responseHead(text, to: method).framing == .none)
        #expect(try Reading.responseHead(text, to: method).keepAlive)
        var decoder = decoder(text + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", to: method, .get)
        let events = try events(&decoder)
        #expect(events.dropFirst() == ["end []", "head 200", "body a", "end []"])
    }

    @Test func `Informational heads come before the final one and have no end`() throws {
        var decoder = decoder("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nLink: a\r\n\r\n", to: .post)
        #expect(try events(&decoder) == ["head 100", "head 103"])
        #expect(try decoder.finish() == nil)
        decoder.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        #expect(try events(&decoder) == ["head 200", "end []"])
    }

    @Test func `After 101 the rest is another protocol`() throws {
        var decoder = decoder("HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc", to: .get)
        #expect(try events(&decoder) == ["head 101"])
        #expect(String(buffer: decoder.takeBuffered()) == "abc")
        #expect(try decoder.finish() == nil)
    }

    @Test func `A 2xx to CONNECT opens the tunnel whatever its fields say`() throws {
        var decoder = decoder("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", to: .connect)
        #expect(try events(&decoder) == ["head 200"])
        #expect(String(buffer: decoder.takeBuffered()) == "abc")
    }

    @Test func `Any other answer to CONNECT has a body`() throws {
        var decoder = decoder("HTTP/1.1 407 P\r\nContent-Length: 3\r\n\r\nabc", to: .connect)
        #expect(try events(&decoder) == ["head 407", "body abc", "end []"])
    }

    @Test func `A body without length ends with the connection`() throws {
        var decoder = decoder("HTTP/1.1 200 OK\r\n\r\nabc", to: .get)
        #expect(try events(&decoder) == ["head 200", "body abc"])
        decoder.append(ByteBuffer(string: "de"))
        #expect(try decoder.finish()?.description == "body de")
        #expect(try decoder.finish()?.description == "end []")
        #expect(try decoder.finish() == nil)
        #expect(try !Reading.responseHead("HTTP/1.1 200 OK\r\n\r\n").keepAlive)
    }

    @Test(arguments: [
        "H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    ])
    func `The end of the connection inside a message is an error`(_ text: String) throws {
        var decoder = decoder(text, to: .get)
        _ = try events(&decoder)
        #expect(throws: MessageError.truncated) { try decoder.finish() }
        #expect(throws: MessageError.truncated) { try decoder.next() }
    }

    @Test func `The connection may end before a message's first byte and after its last`() throws {
        var decoder = decoder("", to: .get, .get)
        #expect(try decoder.finish() == nil)
        for piece in ["H", "TTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"] {
            decoder.append(ByteBuffer(string: piece))
            _ = try events(&decoder)
        }
        decoder.append(ByteBuffer(string: "a"))
        #expect(try events(&decoder) == ["body a", "end []"])
        #expect(try decoder.finish() == nil)
        decoder.append(ByteBuffer(string: "X"))
        #expect(throws: MessageError.statusLineMalformed) { try decoder.next() }
        #expect(throws: MessageError.statusLineMalformed) { try decoder.finish() }
    }

    @Test func `An informational head that closes ends the connection`() throws {
        var decoder = decoder("HTTP/1.1 103 E\r\nConnection: close\r\n\r\n", to: .get)
        #expect(try events(&decoder) == ["head 103"])
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(string: "H"))
        for _ in 0..<2 {
            #expect(throws: MessageError.messageAfterClose) { try decoder.next() }
        }
    }

    @Test func `The end of the connection between messages is none`() throws {
        var decoder = ResponseDecoder()
        #expect(try decoder.finish() == nil)
        decoder.expect(responseTo: .get)
        #expect(try decoder.finish() == nil)
    }

    @Test func `Bytes that no request asked for are an error`() throws {
        var decoder = decoder("HTTP/1.1 408 Timeout\r\n\r\n")
        #expect(throws: MessageError.unsolicitedResponse) { try decoder.next() }
    }
}
