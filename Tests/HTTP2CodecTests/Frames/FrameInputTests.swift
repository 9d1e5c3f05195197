import NIOCore
import Testing

@testable import HTTP2Codec

@Suite struct FrameInputTests {
    /// An input behind the preface, with the bytes of frames.
    private func input(_ frames: String...) throws -> FrameInput {
        var input = FrameInput(role: .client)
        for frame in frames { input.append(ByteBuffer(bytes: try FrameText.bytes(frame[...]))) }
        return input
    }

    private func header(_ input: FrameInput) throws -> FrameHeader {
        try #require(try input.header(maxFrameSize: 16_384))
    }

    @Test func `A server's input begins with the preface, in any pieces`() throws {
        var input = FrameInput(role: .server)
        #expect(input.streamOfUnfinishedHead == HTTP2StreamID.connection)
        var matched = 0
        for byte in FrameText.preface {
            guard case .preface(matched) = input.phase else {
                Issue.record("the preface is over after \(matched) bytes")
                return
            }
            input.append(ByteBuffer(bytes: [byte]))
            matched += 1
            let isComplete = try input.readPreface(matched - 1)
            #expect(isComplete == (matched == FrameText.preface.count))
        }
        guard case .header = input.phase else {
            Issue.record("no frame is awaited")
            return
        }
        #expect(input.streamOfUnfinishedHead == nil)
        #expect(input.bufferedBytes == 0)
    }

    @Test func `A preface of other bytes is refused at the first of them`() throws {
        var input = FrameInput(role: .server)
        input.append(ByteBuffer(string: "PRI * HTTP/1"))
        #expect(throws: HTTP2ConnectionError.prefaceMalformed) { try input.readPreface(0) }
    }

    @Test func `A header is read when all of it is there, and again until it is taken`() throws {
        var input = FrameInput(role: .client)
        let bytes = try FrameText.bytes("PING 0 8*00")
        input.append(ByteBuffer(bytes: bytes.prefix(8)))
        let missing = try input.header(maxFrameSize: 16_384)
        #expect(missing == nil)
        input.append(ByteBuffer(bytes: bytes[8..<10]))
        for _ in 0..<2 {
            let header = try header(input)
            #expect(header.type == .ping)
            #expect(header.length == 8)
        }
        #expect(throws: HTTP2ConnectionError.frameTooLarge) { try input.header(maxFrameSize: 7) }
    }

    @Test func `A payload is taken when all of it is there`() throws {
        var input = FrameInput(role: .client)
        let bytes = try FrameText.bytes("PING 0 8*0a")
        input.append(ByteBuffer(bytes: bytes.prefix(16)))
        let header = try header(input)
        input.beginPayload(header)
        #expect(input.takePayload(header) == nil)
        #expect(input.bufferedBytes == 7)
        input.append(ByteBuffer(bytes: bytes.suffix(1)))
        #expect(input.takePayload(header) == ByteBuffer(repeating: 0x0a, count: 8))
        #expect(input.bufferedBytes == 0)
    }

    @Test func `A payload that nobody needs is passed in pieces`() throws {
        var input = FrameInput(role: .client)
        let bytes = try FrameText.bytes("77 0 5*01") + FrameText.bytes("PING 0 8*00")
        input.append(ByteBuffer(bytes: bytes.prefix(12)))
        input.beginSkipping(try header(input))
        var passed: [Int] = []
        for piece in [bytes[12..<12], bytes[12...]] {
            input.append(ByteBuffer(bytes: piece))
            while case .skipping(let rest) = input.phase, input.skip(rest) { passed.append(rest) }
        }
        #expect(passed == [5, 2])
        #expect(try header(input).type == .ping)
    }

    /// Reads a DATA frame whose bytes come one by one.
    private func data(_ frame: String) throws -> (pieces: [UInt8], ends: Int) {
        var input = FrameInput(role: .client)
        var pieces: [UInt8] = []
        var ends = 0
        for byte in try FrameText.bytes(frame[...]) {
            input.append(ByteBuffer(bytes: [byte]))
            if case .header = input.phase, let header = try input.header(maxFrameSize: 16_384),
                let padding = try input.padding(header)
            {
                let frame = IncomingData(
                    streamID: header.streamID,
                    endsStream: false,
                    isDelivered: true,
                    rest: header.length - padding.overhead,
                    padding: padding.length
                )
                input.beginData(frame, after: padding)
            }
            while case .data(let frame) = input.phase, let piece = input.readData(frame) {
                switch piece {
                case .bytes(let bytes): pieces += Array(bytes.readableBytesView)
                case .end: ends += 1
                }
            }
        }
        #expect(input.bufferedBytes == 0)
        return (pieces, ends)
    }

    @Test(
        arguments: [
            ("DATA 1 010203", [1, 2, 3]), ("DATA 1", []), ("DATA+PAD 1 02 0102 0000", [1, 2]),
            ("DATA+PAD 1 00 01", [1]),
            ("DATA+PAD 1 00", []), ("DATA+PAD 1 02 0000", []),
        ] as [(String, [UInt8])]
    )
    func `Data is read as it comes, without its padding`(_ frame: String, _ expected: [UInt8]) throws {
        let read = try data(frame)
        #expect(read.pieces == expected)
        #expect(read.ends == 1)
    }

    @Test(arguments: [
        ("DATA+PAD 1", HTTP2ConnectionError.frameSizeWrong), ("DATA+PAD 1 01", .paddingTooLong),
        ("DATA+PAD 1 03 0102", .paddingTooLong),
    ])
    func `Padding is a part of the payload`(_ frame: String, _ error: HTTP2ConnectionError) throws {
        let input = try input(frame)
        let header = try header(input)
        #expect(throws: error) { try input.padding(header) }
    }

    @Test func `A block of several frames is joined, and nothing else may come between`() throws {
        var input = try input("CONTINUATION+EH 3 00")
        input.beginBlock(3, ByteBuffer(string: "ab"), endsStream: true)
        #expect(input.streamOfUnfinishedHead == 3)
        #expect(try header(input).type == .continuation)
        let limits = HTTP2Limits()
        let begun = try input.continueBlock(ByteBuffer(string: "c"), endsBlock: false, limits: limits)
        #expect(begun == nil)
        let whole = try input.continueBlock(ByteBuffer(string: "d"), endsBlock: true, limits: limits)
        let block = try #require(whole)
        #expect(block.streamID == 3)
        #expect(block.endsStream)
        #expect(String(buffer: block.bytes) == "abcd")
        #expect(input.streamOfUnfinishedHead == nil)
        #expect(throws: HTTP2ConnectionError.continuationUnexpected) {
            try input.continueBlock(ByteBuffer(string: "e"), endsBlock: true, limits: limits)
        }
    }

    @Test(arguments: ["CONTINUATION 5 00", "DATA 3 00", "PING 0 8*00", "HEADERS+EH 3 $GET"])
    func `Another frame interrupts a block`(_ frame: String) throws {
        var input = try input(frame)
        input.beginBlock(3, ByteBuffer(string: "ab"), endsStream: true)
        #expect(throws: HTTP2ConnectionError.headersInterrupted) { try input.header(maxFrameSize: 16_384) }
    }

    @Test func `A block is bounded in its frames and in its bytes`() throws {
        var limits = HTTP2Limits()
        limits.continuationFrames = 1
        limits.headerBlockBytes = 3
        var many = FrameInput(role: .client)
        many.beginBlock(1, ByteBuffer(string: "a"), endsStream: true)
        _ = try many.continueBlock(ByteBuffer(string: "b"), endsBlock: false, limits: limits)
        #expect(throws: HTTP2ConnectionError.tooManyContinuations) {
            try many.continueBlock(ByteBuffer(string: "c"), endsBlock: true, limits: limits)
        }
        var large = FrameInput(role: .client)
        large.beginBlock(1, ByteBuffer(string: "a"), endsStream: true)
        #expect(throws: HTTP2ConnectionError.headerBlockTooLarge) {
            try large.continueBlock(ByteBuffer(string: "bcd"), endsBlock: true, limits: limits)
        }
    }

    @Test func `What is dropped is held no more`() throws {
        var input = try input("PING 0 8*00")
        input.beginBlock(3, ByteBuffer(string: "ab"), endsStream: true)
        #expect(input.bufferedBytes > 17)
        input.drop()
        #expect(input.bufferedBytes == 0)
        #expect(input.streamOfUnfinishedHead == nil)
    }
}
