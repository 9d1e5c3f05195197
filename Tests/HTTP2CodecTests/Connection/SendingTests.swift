import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// Tests of a connection's calls that playbooks cannot express.
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
        try send(&connection, on: try #require(opened), filler: filler)
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        return log.take()
    }

    @Test func `A head larger than a frame goes on in CONTINUATION frames`() throws {
        let rest = 16_384 - (try frames(filler: 16_300)[0].payload.count)
        let exact = try frames(filler: 16_300 + rest)
        #expect(exact.map(\.text) == ["HEADERS+ES+EH 1"])
        #expect(exact[0].payload.count == 16_384)
        let above = try frames(filler: 16_300 + rest + 1)
        #expect(above.map(\.text) == ["HEADERS+ES 1", "CONTINUATION+EH 1 1"])
        #expect(above[0].payload.count == 16_384)
        let long = try frames(filler: 16_300 + rest + 40_000)
        #expect(long.map(\.text).dropLast() == ["HEADERS+ES 1", "CONTINUATION 1 16384", "CONTINUATION 1 16384"])
        #expect(long.last?.text.hasPrefix("CONTINUATION+EH 1 ") == true)
    }

    @Test func `A request that a later one has overtaken is not sent`() throws {
        var connection = HTTP2Connection(role: .client)
        _ = connection.takeOutput()
        #expect([connection.openStream(), connection.openStream()] == [1, 3])
        try send(&connection, on: 3)
        try send(&connection, on: 1)
        #expect(try connection.next()?.text == "reset 1 refused_stream")
        #expect(frames(&connection) == ["HEADERS+ES+EH 3"])
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
        try send(&connection, on: 1)
        #expect(try connection.next()?.text == "reset 1 refused_stream")
        #expect(frames(&connection) == ["SETTINGS+ACK"])
        #expect(connection.isIdle)
    }

    @Test func `The numbers of streams are used up in the end`() throws {
        var connection = HTTP2Connection(role: .client)
        connection.numbers = StreamNumbers(next: 0x7FFF_FFFD)
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

    /// A client with streams that send bodies to a server with a window of 65,535 bytes for all of them.
    private func uploading(on streams: Int) throws -> HTTP2Connection {
        var connection = HTTP2Connection(role: .client)
        // 1 MiB for each stream, as much as nobody has.
        connection.receive(ByteBuffer(bytes: try FrameText.bytes("SETTINGS 0 000400100000")))
        #expect(try connection.next() == nil)
        for _ in 0..<streams {
            let opened = connection.openStream()
            connection.sendRequest(
                try #require(opened),
                try Heads.request("POST / HTTP/1.1\r\nHost: h"),
                scheme: .https,
                authority: ByteBuffer(string: "h"),
                endsStream: false
            )
        }
        _ = connection.takeOutput()
        return connection
    }

    /// The bytes of DATA that are sent, by stream.
    private func sent(_ connection: inout HTTP2Connection) -> [HTTP2StreamID: Int] {
        var log = FrameLog()
        log.append(connection.takeOutput().readableBytesView)
        return log.take().reduce(into: [:]) { counts, frame in
            if frame.type == 0 { counts[frame.streamID, default: 0] += frame.payload.count }
        }
    }

    @Test func `A stream that is alone has the whole window of the connection`() throws {
        var connection = try uploading(on: 1)
        connection.sendData(1, ByteBuffer(repeating: 0x61, count: 100_000), endsStream: true)
        #expect(sent(&connection) == [1: 65_535])
        #expect(!connection.hasRoomForBodies)
        connection.receive(ByteBuffer(bytes: try FrameText.bytes("WINDOW_UPDATE 0 00010000")))
        #expect(try connection.next()?.text == "writable 1")
        #expect(sent(&connection) == [1: 34_465])
    }

    @Test(arguments: [2, 10, 100])
    func `Streams that are not read leave another its share of the connection's window`(streams: Int) throws {
        var connection = try uploading(on: streams)
        let last = HTTP2StreamID(2 * streams - 1)
        for streamID in stride(from: HTTP2StreamID(1), to: last, by: 2) {
            connection.sendData(streamID, ByteBuffer(repeating: 0x61, count: 100_000), endsStream: true)
        }
        #expect(sent(&connection).values.reduce(0, +) < 65_535)
        #expect(!connection.hasRoomForBodies)
        connection.sendData(last, ByteBuffer(repeating: 0x61, count: 100), endsStream: true)
        #expect(sent(&connection) == [last: 100])
    }

    @Test func `Streams that have no number yet have their share too`() throws {
        var connection = try uploading(on: 1)
        connection.expectedStreams = 1
        connection.sendData(1, ByteBuffer(repeating: 0x61, count: 100_000), endsStream: true)
        #expect(sent(&connection) == [1: 49_152])
    }

    @Test func `Streams that are read go on in turn`() throws {
        var connection = try uploading(on: 2)
        for streamID in [1, 3] as [HTTP2StreamID] {
            connection.sendData(streamID, ByteBuffer(repeating: 0x61, count: 100_000), endsStream: true)
        }
        var counts = sent(&connection)
        for _ in 0..<20 {
            // Half of the window at a time, and nothing of the streams' windows, which are large.
            connection.receive(ByteBuffer(bytes: try FrameText.bytes("WINDOW_UPDATE 0 00008000")))
            while try connection.next() != nil {}
            counts.merge(sent(&connection)) { $0 + $1 }
            if counts[1] == 100_000, counts[3] == 100_000 { break }
        }
        #expect(counts == [1: 100_000, 3: 100_000])
    }

    @Test func `What a stream held of the window counts no more when it is over`() throws {
        var connection = try uploading(on: 2)
        connection.sendData(1, ByteBuffer(repeating: 0x61, count: 20_000), endsStream: true)
        #expect(!connection.hasRoomForBodies)
        connection.reset(1, code: .cancel)
        #expect(connection.hasRoomForBodies)
        connection.sendData(3, ByteBuffer(repeating: 0x61, count: 20_000), endsStream: false)
        #expect(!connection.hasRoomForBodies)
        connection.receive(ByteBuffer(bytes: try FrameText.bytes("WINDOW_UPDATE 3 00001000")))
        #expect(try connection.next() == nil)
        #expect(connection.hasRoomForBodies)
    }

    @Test func `An error is thrown again and again`() throws {
        var connection = HTTP2Connection(role: .server)
        connection.receive(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        for _ in 0..<3 { #expect(throws: HTTP2ConnectionError.prefaceMalformed) { try connection.next() } }
        #expect(connection.isGoingAway)
        #expect(frames(&connection) == ["SETTINGS 4", "WINDOW_UPDATE 0 983041", "GOAWAY 0 protocol_error"])
        #expect(!connection.hasOutput)
    }
}
