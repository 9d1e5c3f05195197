import HTTP1Codec
import NIOCore
import Testing

@testable import HTTP2Codec

/// Blocks that would cost more than they weigh.
@Suite struct HeaderBombTests {
    private static let start = [":method: GET", ":scheme: https", ":authority: h", ":path: /"]

    private func bomb(_ references: Int, valueLength: Int) -> Block {
        var block = Block(Self.start)
        block.append(.indexed, name: Array("x".utf8), value: [UInt8](repeating: 0x61, count: valueLength))
        block.bytes += [UInt8](repeating: 0xBE, count: references)
        return block
    }

    @Test func `A block that refers to one large entry again and again is too large`() throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        // 16 MiB of fields in 20 KiB.
        let block = bomb(16_384, valueLength: 4_000).buffer
        for _ in 0..<10 {
            #expect(throws: HeaderBlockError.tooLarge) { try decoder.request(block, endsStream: true) }
        }
        #expect(decoder.heldBytes < 512 * 1_024)
        #expect(decoder.table.size == 4_033)
        #expect(try decoder.trailers(Block([0xBE]).buffer).count == 1)
    }

    @Test func `Small fields count 32 bytes more than they have`() throws {
        var limits = MessageLimits()
        limits.headerBytes = 42 + 44 + 43 + 38 + 34
        var decoder = HeaderBlockDecoder(limits: limits)
        #expect(try decoder.request(Block(Self.start + ["a: b"]).buffer, endsStream: true).fields.count == 2)
        #expect(throws: HeaderBlockError.tooLarge) {
            try decoder.request(Block(Self.start + ["a: bc"]).buffer, endsStream: true)
        }
        #expect(throws: HeaderBlockError.tooLarge) {
            try decoder.request(Block(Self.start + ["a: b", "c: "]).buffer, endsStream: true)
        }
    }

    @Test func `As many fields as the limit are taken and one more is not`() throws {
        var limits = MessageLimits()
        limits.fields = 2
        var decoder = HeaderBlockDecoder(limits: limits)
        #expect(
            try decoder.request(Block(Self.start + ["a: b", "cookie: c"]).buffer, endsStream: true).fields.count == 3
        )
        #expect(throws: HeaderBlockError.tooLarge) {
            try decoder.request(Block(Self.start + ["a: b", "cookie: c", "cookie: d"]).buffer, endsStream: true)
        }
    }

    @Test func `Trailers have limits of their own`() throws {
        var limits = MessageLimits()
        limits.trailerFields = 2
        limits.trailerBytes = 80
        var decoder = HeaderBlockDecoder(limits: limits)
        #expect(try decoder.trailers(Block(["a: b", "c: d"]).buffer).count == 2)
        #expect(throws: HeaderBlockError.tooLarge) { try decoder.trailers(Block(["a: ", "c: ", "e: "]).buffer) }
        #expect(throws: HeaderBlockError.tooLarge) {
            try decoder.trailers(Block(["a: b", "c: \(String(repeating: "d", count: 40))"]).buffer)
        }
    }

    @Test func `A name too long for a head is too large`() throws {
        var limits = MessageLimits()
        limits.headerBytes = 1_000_000
        var decoder = HeaderBlockDecoder(limits: limits)
        let name = String(repeating: "n", count: 65_535)
        #expect(try decoder.request(Block(Self.start + [name + ": v"]).buffer, endsStream: true).fields.count == 2)
        #expect(throws: HeaderBlockError.tooLarge) {
            try decoder.request(Block(Self.start + [name + "n: v"]).buffer, endsStream: true)
        }
    }

    @Test func `The first fault counts, and what follows is taken into the table`() throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        var block = Block(Self.start + ["X: y"])
        block.append(.indexed, name: Array("a".utf8), value: Array("b".utf8))
        block.bytes += [UInt8](repeating: 0xBE, count: 100_000)
        #expect(throws: HeaderBlockError.malformed(.fieldNameMalformed)) {
            try decoder.request(block.buffer, endsStream: true)
        }
        #expect(try String(buffer: decoder.trailers(Block([0xBE]).buffer).bytes) == "a: b\r\n\r\n")
    }

    @Test func `After a large head the storage is given back`() throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits())
        let large = Block(Self.start + ["a: \(String(repeating: "b", count: 60_000))", "cookie: c"]).buffer
        #expect(try decoder.request(large, endsStream: true).fields.count == 3)
        _ = try decoder.request(Block(Self.start).buffer, endsStream: true)
        #expect(decoder.heldBytes < 16 * 1_024)
    }
}
