import HTTP1Codec
import NIOCore
import Testing

@Suite struct RequestDecoderTests {
    private func decoder(_ text: String) -> RequestDecoder {
        var decoder = RequestDecoder()
        decoder.append(ByteBuffer(string: text))
        return decoder
    }

    @Test func `Events come one at a time, and the next message waits until it is asked for`() throws {
        let second = "GET /b HTTP/1.1\r\nHost: h\r\n\r\n"
        var decoder = decoder("PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + second)
        #expect(try decoder.next()?.description == "head PUT /a")
        #expect(try decoder.next()?.description == "body abc")
        #expect(try decoder.next()?.description == "end []")
        #expect(decoder.bufferedBytes == second.utf8.count)
        #expect(try decoder.next()?.description == "head GET /b")
        #expect(try decoder.next()?.description == "end []")
        #expect(try decoder.next() == nil)
        #expect(decoder.bufferedBytes == 0)
    }

    @Test func `A body comes in the pieces that arrive, and its chunks without their coding`() throws {
        var decoder = decoder("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nab")
        #expect(try decoder.next()?.description == "head POST /a")
        #expect(try decoder.next()?.description == "body ab")
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(string: "cde\r\n2\r\nfg\r\n0\r\nX-Sum: 7\r\n"))
        #expect(try decoder.next()?.description == "body cde")
        #expect(try decoder.next()?.description == "body fg")
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(string: "\r\n"))
        #expect(try decoder.next()?.description == "end [\"X-Sum: 7\"]")
        #expect(decoder.bufferedBytes == 0)
    }

    @Test func `A request tells what it is`() throws {
        let head = try Reading.requestHead(
            "POST http://h:80/a?b HTTP/1.1\r\nHost: h:80\r\nExpect: 100-Continue\r\nContent-Length: 12\r\n\r\n"
        )
        #expect(head.method == .post)
        #expect(head.targetForm == .absolute)
        #expect(String(buffer: head.target) == "http://h:80/a?b")
        #expect(head.version == .http11)
        #expect(head.framing == .length(12))
        #expect(head.expectsContinue)
        #expect(head.keepAlive)
        #expect(head.fields.string(of: .host) == "h:80")
        #expect(head.bytes.readableBytes == 87)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n", false),
        ("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", false),
        ("POST / HTTP/1.1\r\nHost: h\r\nExpect: something\r\nContent-Length: 1\r\n\r\n", false),
        ("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-CONTINUE\r\nTransfer-Encoding: chunked\r\n\r\n", true),
    ])
    func `Only an HTTP 1.1 request with a body expects 100`(_ text: String, _ expects: Bool) throws {
        #expect(try Reading.requestHead(text).expectsContinue == expects)
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "CLOSE", false),
        ("HTTP/1.1", "keep-alive", true), ("HTTP/1.1", "keep-alive, close", false), ("HTTP/1.1", "x,,close", false),
        ("HTTP/1.1", "closed", true), ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true),
        ("HTTP/1.0", "close, keep-alive", false),
    ])
    func `Persistence follows the version and the Connection field`(
        _ version: String,
        _ connection: String,
        _ keepsAlive: Bool
    ) throws {
        let head = try Reading.requestHead("GET / \(version)\r\nHost: h\r\nConnection: \(connection)\r\n\r\n")
        #expect(head.keepAlive == keepsAlive)
    }

    @Test(arguments: ["keep-alive", "close"])
    func `Proxy-Connection can end persistence but not extend it`(_ option: String) throws {
        let old = try Reading.requestHead("GET / HTTP/1.0\r\nProxy-Connection: \(option)\r\n\r\n")
        #expect(!old.keepAlive)
        let new = try Reading.requestHead("GET / HTTP/1.1\r\nHost: h\r\nProxy-Connection: \(option)\r\n\r\n")
        #expect(new.keepAlive == (option == "keep-alive"))
    }

    @Test func `After CONNECT the rest is for the tunnel`() throws {
        var decoder = decoder("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n\u{16}\u{3}")
        guard case .head(let head) = try decoder.next() else { throw Reading.Unexpected.event }
        #expect(head.method == .connect)
        #expect(head.targetForm == .authority)
        #expect(head.framing == .none)
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(string: "\u{1}"))
        #expect(decoder.bufferedBytes == 3)
        #expect(String(buffer: decoder.takeBuffered()) == "\u{16}\u{3}\u{1}")
        #expect(decoder.bufferedBytes == 0)
    }

    @Test func `A refusal is final`() throws {
        var decoder = decoder("GET / HTTP/1.1\r\nHost: h\n")
        #expect(throws: MessageError.bareLineFeed) { try decoder.next() }
        decoder.append(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(throws: MessageError.bareLineFeed) { try decoder.next() }
    }

    @Test func `An empty line is skipped before each message, and one alone`() throws {
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        var decoder = decoder("\r\n" + request + "\r\n" + request + "\r\n\r\n")
        for _ in 0..<2 {
            #expect(try decoder.next()?.description == "head GET /")
            #expect(try decoder.next()?.description == "end []")
        }
        #expect(throws: MessageError.emptyLineRepeated) { try decoder.next() }
    }

    @Test func `After a request that closes, nothing but empty lines is taken`() throws {
        var decoder = decoder("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n\r\n\r\n")
        #expect(try decoder.next()?.description == "head GET /")
        #expect(try decoder.next()?.description == "end []")
        #expect(try decoder.next() == nil)
        decoder.append(ByteBuffer(string: "G"))
        for _ in 0..<2 {
            #expect(throws: MessageError.messageAfterClose) { try decoder.next() }
        }
    }

    @Test(arguments: [["\r\n\r"], ["\r\n", "\r"], ["\r", "\n", "\r"]])
    func `A second empty line is refused at its first byte, however it comes`(_ pieces: [String]) {
        var decoder = RequestDecoder()
        #expect(throws: MessageError.emptyLineRepeated) {
            for piece in pieces {
                decoder.append(ByteBuffer(string: piece))
                _ = try decoder.next()
            }
        }
    }

    @Test func `An empty line alone begins no message`() throws {
        var decoder = decoder("\r\n")
        #expect(try decoder.next() == nil)
        #expect(decoder.bufferedBytes == 0)
        decoder.append(ByteBuffer(string: "G"))
        #expect(try decoder.next() == nil)
        #expect(decoder.bufferedBytes == 1)
    }

    @Test func `A head that is held keeps its fields while the next is read`() throws {
        var decoder = decoder("GET /a HTTP/1.1\r\nHost: a\r\nX: 1\r\n\r\nGET /b HTTP/1.1\r\nHost: b\r\n\r\n")
        guard case .head(let first) = try decoder.next() else { throw Reading.Unexpected.event }
        _ = try decoder.next()
        guard case .head(let second) = try decoder.next() else { throw Reading.Unexpected.event }
        #expect(Reading.lines(first.fields) == ["Host: a", "X: 1"])
        #expect(Reading.lines(second.fields) == ["Host: b"])
    }

    @Test func `Body bytes are slices of what was appended`() throws {
        var decoder = RequestDecoder()
        let received = ByteBuffer(string: "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
        decoder.append(received)
        _ = try decoder.next()
        guard case .body(let body) = try decoder.next() else { throw Reading.Unexpected.event }
        #expect(body.storageCapacity == received.storageCapacity)
        #expect(String(buffer: body) == "abc")
    }
}
