import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The requests on their way to a connection")
struct RequestWriterTests {
    private static func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0x61, count: count) }

    private static func taken(_ writer: inout RequestWriter) -> String? {
        writer.takeGathered().map { String(buffer: $0) }
    }

    @Test("Small pieces of a body are gathered, and taken once")
    func gathers() {
        var writer = RequestWriter()
        writer.begin(bodyIsChunked: false)
        #expect(writer.takeGathered() == nil)
        #expect(writer.append(ByteBuffer(string: "one ")) == .wait)
        #expect(writer.append(ByteBuffer(string: "two")) == .wait)
        writer.end(trailers: nil)
        #expect(Self.taken(&writer) == "one two")
        #expect(writer.takeGathered() == nil)
    }

    @Test("A large piece leaves as it is, behind what was gathered", arguments: [(1024, false), (1025, true)])
    func passesLargePieces(count: Int, isApart: Bool) {
        var writer = RequestWriter()
        writer.begin(bodyIsChunked: false)
        #expect(writer.append(ByteBuffer(string: "small")) == .wait)
        #expect(writer.append(Self.bytes(count)) == (isApart ? .writeGatheredAndPiece : .wait))
        #expect(Self.taken(&writer)?.utf8.count == (isApart ? 5 : 5 + count))
    }

    @Test("No more is gathered than leaves in one TLS record")
    func bounded() {
        var writer = RequestWriter()
        writer.begin(bodyIsChunked: false)
        for _ in 0..<16 { #expect(writer.append(Self.bytes(1024)) == .wait) }
        #expect(writer.append(Self.bytes(1)) == .writeGathered)
        #expect(Self.taken(&writer)?.utf8.count == 16 * 1024 + 1)
        #expect(writer.append(Self.bytes(1)) == .wait)
    }

    @Test("Pieces of a chunked body are chunks, whatever their size")
    func chunks() {
        var writer = RequestWriter()
        writer.begin(bodyIsChunked: true)
        #expect(writer.append(ByteBuffer(string: "one")) == .wait)
        // Would end the body.
        #expect(writer.append(ByteBuffer()) == .wait)
        writer.end(trailers: nil)
        #expect(Self.taken(&writer) == "3\r\none\r\n0\r\n\r\n")
        #expect(writer.append(Self.bytes(16 * 1024)) == .writeGathered)
        #expect(Self.taken(&writer)?.utf8.count == "4000\r\n\r\n".utf8.count + 16 * 1024)
    }

    @Test("The body of the next request is coded as that one's head says")
    func nextRequest() {
        var writer = RequestWriter()
        writer.begin(bodyIsChunked: true)
        writer.end(trailers: nil)
        #expect(Self.taken(&writer) == "0\r\n\r\n")
        writer.begin(bodyIsChunked: false)
        #expect(writer.append(ByteBuffer(string: "plain")) == .wait)
        writer.end(trailers: nil)
        #expect(Self.taken(&writer) == "plain")
    }

    @Test("A whole body that fits into one TLS record joins its head", arguments: [(16_384, true), (16_385, false)])
    func joinsHead(count: Int, joins: Bool) {
        #expect(RequestWriter.joinsHead(Self.bytes(count)) == joins)
    }

    @Test("A flush is asked for once, however often there is something to write")
    func flushes() {
        var writer = RequestWriter()
        #expect(writer.flushBegins() == false)
        #expect(writer.flushRequested() == true)
        #expect(writer.flushRequested() == false)
        #expect(writer.flushBegins() == true)
        #expect(writer.flushBegins() == false)
        #expect(writer.flushRequested() == true)
    }

    @Test("Nothing is taken while the channel holds enough")
    func writability() {
        var writer = RequestWriter()
        #expect(writer.isWritable)
        writer.writabilityChanged(channelIsWritable: false)
        #expect(!writer.isWritable)
        writer.writabilityChanged(channelIsWritable: true)
        #expect(writer.isWritable)
    }
}
