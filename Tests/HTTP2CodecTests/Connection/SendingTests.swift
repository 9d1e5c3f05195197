import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// What playbooks cannot say of the calls of a connection.
@Suite struct SendingTests {
    private func send(_ connection: inout HTTP2Connection, on streamID: HTTP2StreamID, filler: Int = 0) throws {
        let head = try Heads.request("GET / HTTP/1.1\r\nHost: h\r\nFiller: \(String(repeating: "f", count: filler))")
        connection.sendRequest(streamID, head, scheme: .https, authority: ByteBuffer(string: "h"), endsStream: true)
    }

    private func frames(_ connection: inout HTTP2Connection) -> [String] {
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        return log.take().map(\.text)
    }

    @Test func `A client begins with the preface, its settings and a larger window`() {
        var settings = HTTP2Settings()
        settings.initialWindow = 100_000
        settings.connectionWindow = 200_000
        var connection = HTTP2Connection(role: .client, settings: settings)
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        let frames = log.take()
        #expect(log.sawPreface)
        #expect(frames.map(\.text) == ["SETTINGS 4", "WINDOW_UPDATE 0 134465"])
        // 100,000 bytes, frames of 16,384, header lists of 65,536, no push.
        #expect(
            frames[0].payload == [0, 4, 0, 1, 0x86, 0xA0, 0, 5, 0, 0, 0x40, 0, 0, 6, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0]
        )
    }

    @Test func `A server begins with its settings`() {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = 7
        settings.connectionWindow = 65_535
        var connection = HTTP2Connection(role: .server, settings: settings)
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        let frames = log.take()
        #expect(!log.sawPreface)
        #expect(frames.map(\.text) == ["SETTINGS 4"])
        #expect(frames[0].payload.suffix(6) == [0, 3, 0, 0, 0, 7])
    }

    /// The frames of a request with a field of that many bytes, on a new connection.
    private func frames(filler: Int) throws -> [FrameLog.Frame] {
        var connection = HTTP2Connection(role: .client)
        _ = connection.takeOutput()
        let opened = connection.openStream()
        try self.send(&connection, on: try #require(opened), filler: filler)
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        return log.take()
    }

    @Test func `A head larger than a frame goes on in CONTINUATION frames`() throws {
        let rest = 16_384 - (try self.frames(filler: 16_300)[0].payload.count)
        let exact = try self.frames(filler: 16_300 + rest)
        #expect(exact.map(\.text) == ["HEADERS+ES+EH 1"])
        #expect(exact[0].payload.count == 16_384)
        let above = try self.frames(filler: 16_300 + rest + 1)
        #expect(above.map(\.text) == ["HEADERS+ES 1", "CONTINUATION+EH 1 1"])
        #expect(above[0].payload.count == 16_384)
        let long = try self.frames(filler: 16_300 + rest + 40_000)
        #expect(long.map(\.text).dropLast() == ["HEADERS+ES 1", "CONTINUATION 1 16384", "CONTINUATION 1 16384"])
        #expect(long.last?.text.hasPrefix("CONTINUATION+EH 1 ") == true)
    }

    @Test func `A request that a later one has overtaken is not sent`() throws {
        var connection = HTTP2Connection(role: .client)
        _ = connection.takeOutput()
        #expect([connection.openStream(), connection.openStream()] == [1, 3])
        try self.send(&connection, on: 3)
        try self.send(&connection, on: 1)
        #expect(try connection.next()?.text == "reset 1 refused_stream")
        #expect(self.frames(&connection) == ["HEADERS+ES+EH 3"])
        #expect(connection.openStreamIDs == [3])
    }

    @Test func `A request that GOAWAY has overtaken is not sent`() throws {
        var connection = HTTP2Connection(role: .client)
        #expect(connection.openStream() == 1)
        _ = connection.takeOutput()
        for frame in ["SETTINGS 0", "GOAWAY 0 7fffffff 00000000"] {
            connection.receive(ByteBuffer(bytes: try FrameText.bytes(frame[...])))
        }
        #expect(try connection.next()?.text == "goaway 2147483647 no_error")
        try self.send(&connection, on: 1)
        #expect(try connection.next()?.text == "reset 1 refused_stream")
        #expect(self.frames(&connection) == ["SETTINGS+ACK"])
        #expect(connection.isIdle)
    }

    @Test func `The numbers of streams are used up in the end`() throws {
        var connection = HTTP2Connection(role: .client)
        connection.nextStreamID = 0x7FFF_FFFD
        #expect(connection.openableStreams == 2)
        #expect(connection.openStream() == 0x7FFF_FFFD)
        #expect(connection.openStream() == 0x7FFF_FFFF)
        #expect(connection.openStream() == nil)
        #expect(connection.openableStreams == 0)
    }

    @Test func `A caller sees what a connection waits for`() throws {
        var connection = HTTP2Connection(role: .server)
        #expect(connection.streamOfUnfinishedHead == 0)
        #expect(!connection.hasPeerSettings)
        connection.receive(ByteBuffer(bytes: FrameText.preface))
        #expect(try connection.next() == nil)
        #expect(connection.streamOfUnfinishedHead == nil)
        for (frame, unfinished) in [
            ("SETTINGS 0", nil), ("SETTINGS+ACK 0", nil), ("HEADERS 1 8287", 1), ("CONTINUATION 1 84", 1),
        ] as [(String, HTTP2StreamID?)] {
            connection.receive(ByteBuffer(bytes: try FrameText.bytes(frame[...])))
            #expect(try connection.next() == nil)
            #expect(connection.streamOfUnfinishedHead == unfinished, "\(frame)")
            #expect((connection.bufferedBytes > 0) == (unfinished != nil), "\(frame)")
        }
        #expect(connection.hasPeerSettings)
        connection.receive(ByteBuffer(bytes: try FrameText.bytes("CONTINUATION+EH 1 010168")))
        #expect(try connection.next()?.text == "head 1 GET /")
        #expect(connection.streamOfUnfinishedHead == nil)
        connection.receive(ByteBuffer(bytes: try FrameText.bytes("HEADERS+ES+EH 3 $GET").dropLast()))
        #expect(try connection.next() == nil)
        #expect(connection.streamOfUnfinishedHead == 3)
        #expect(connection.bufferedBytes > 0)
        connection.dropBuffered()
        #expect(connection.bufferedBytes == 0)
    }

    @Test func `An error is thrown again and again`() throws {
        var connection = HTTP2Connection(role: .server)
        connection.receive(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        for _ in 0..<3 { #expect(throws: HTTP2ConnectionError.prefaceMalformed) { try connection.next() } }
        #expect(connection.isGoingAway)
        #expect(self.frames(&connection) == ["SETTINGS 4", "WINDOW_UPDATE 0 983041", "GOAWAY 0 protocol_error"])
        #expect(!connection.hasOutput)
    }
}
