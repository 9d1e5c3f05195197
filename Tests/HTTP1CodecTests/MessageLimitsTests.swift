import HTTP1Codec
import NIOCore
import Testing

@Suite struct MessageLimitsTests {
    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func refusal(_ text: String, _ change: (inout MessageLimits) -> Void) -> MessageError? {
        var limits = MessageLimits()
        change(&limits)
        var decoder = RequestDecoder(limits: limits)
        decoder.append(ByteBuffer(string: text))
        do throws(MessageError) {
            while try decoder.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test func `A head of the limit is read and one byte more is not`() {
        let text = "GET /abc HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\n"
        #expect(refusal(text) { $0.headerBytes = text.utf8.count } == nil)
        #expect(refusal(text) { $0.headerBytes = text.utf8.count - 1 } == .headerTooLarge)
    }

    @Test func `The limit holds before the line is complete`() {
        #expect(refusal("GET /abcdefgh") { $0.headerBytes = 12 } == .targetTooLong)
        #expect(refusal("GET / HTTP/1.1\r\nHost: abc") { $0.headerBytes = 24 } == .headerTooLarge)
    }

    @Test(arguments: ["HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nX: "])
    func `A response's line without an end is held up to the limit, however it comes`(_ start: String) throws {
        var limits = MessageLimits()
        limits.headerBytes = 100
        let text = start + String(repeating: "a", count: limits.headerBytes + 1 - start.utf8.count)
        for step in [1, text.utf8.count] {
            var decoder = ResponseDecoder(limits: limits)
            decoder.expect(responseTo: .get)
            var rest = text.utf8.dropLast()[...]
            while !rest.isEmpty {
                decoder.append(ByteBuffer(bytes: rest.prefix(step)))
                rest = rest.dropFirst(step)
                #expect(try decoder.next() == nil)
            }
            decoder.append(ByteBuffer(string: "a"))
            #expect(throws: MessageError.headerTooLarge) { try decoder.next() }
        }
    }

    @Test func `As many fields as the limit are read and one more is not`() {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nA: 1\r\nB: 2\r\n\r\n"
        #expect(refusal(text) { $0.fields = 3 } == nil)
        #expect(refusal(text) { $0.fields = 2 } == .tooManyFields)
    }

    @Test func `As many connection options as the limit are read and one more is not`() {
        let text = "GET / HTTP/1.1\r\nHost: h\r\nConnection: a, b\r\nConnection: c\r\n\r\n"
        #expect(refusal(text) { $0.connectionOptions = 3 } == nil)
        #expect(refusal(text) { $0.connectionOptions = 2 } == .tooManyConnectionOptions)
    }

    @Test func `A chunk line of the limit is read and one byte more is not`() {
        let text = Self.chunkedHead + "1;abc\r\nx\r\n0\r\n\r\n"
        #expect(refusal(text) { $0.chunkLineBytes = 5 } == nil)
        #expect(refusal(text) { $0.chunkLineBytes = 4 } == .chunkLineTooLong)
        #expect(refusal(Self.chunkedHead + "1;abc") { $0.chunkLineBytes = 4 } == .chunkLineTooLong)
    }

    @Test func `Chunk extensions of one message count together`() {
        let text = Self.chunkedHead + "1;ab\r\nx\r\n1;cd\r\nx\r\n0\r\n\r\n"
        #expect(refusal(text + text) { $0.chunkExtensionBytes = 4 + 2 } == nil)
        #expect(refusal(text) { $0.chunkExtensionBytes = 3 } == .chunkExtensionsTooLong)
    }

    @Test func `Zeros before a chunk size count as extensions`() {
        let text = Self.chunkedHead + String(repeating: "0", count: 20) + "1\r\nx\r\n0\r\n\r\n"
        #expect(refusal(text) { $0.chunkExtensionBytes = 5 } == nil)
        #expect(refusal(text) { $0.chunkExtensionBytes = 4 } == .chunkExtensionsTooLong)
    }

    @Test func `Trailers are bounded in bytes and in number`() {
        let text = Self.chunkedHead + "0\r\nA: 1\r\nDate: 2\r\n\r\n"
        #expect(refusal(text) { $0.trailerBytes = 17 } == nil)
        #expect(refusal(text) { $0.trailerBytes = 16 } == .trailersTooLarge)
        #expect(refusal(Self.chunkedHead + "0\r\nA: 1234") { $0.trailerBytes = 6 } == .trailersTooLarge)
        #expect(refusal(text) { $0.trailerFields = 2 } == nil)
        #expect(refusal(text) { $0.trailerFields = 1 } == .trailersTooLarge)
        // Each message has the limits for itself.
        #expect(refusal(text + text) { ($0.trailerFields, $0.trailerBytes) = (2, 17) } == nil)
    }

    @Test func `Informational responses are bounded`() throws {
        var limits = MessageLimits()
        limits.informationalResponses = 2
        var decoder = ResponseDecoder(limits: limits)
        decoder.expect(responseTo: .get)
        decoder.append(ByteBuffer(string: String(repeating: "HTTP/1.1 103 E\r\n\r\n", count: 3)))
        #expect(try decoder.next() != nil)
        #expect(try decoder.next() != nil)
        #expect(throws: MessageError.tooManyInformationalResponses) { try decoder.next() }
    }

    @Test func `Informational responses are counted for each request`() throws {
        var limits = MessageLimits()
        limits.informationalResponses = 2
        var decoder = ResponseDecoder(limits: limits)
        let text = String(repeating: "HTTP/1.1 103 E\r\n\r\n", count: 2) + "HTTP/1.1 204 N\r\n\r\n"
        for _ in 0..<2 {
            decoder.expect(responseTo: .get)
            decoder.append(ByteBuffer(string: text))
            for _ in 0..<4 { #expect(try decoder.next() != nil) }
            #expect(try decoder.next() == nil)
        }
    }
}
