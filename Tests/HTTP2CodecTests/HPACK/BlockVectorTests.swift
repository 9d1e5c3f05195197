import HTTP1Codec
import NIOCore
import Testing
import TestSupport

@testable import HTTP2Codec

/// Blocks of RFC 7541, appendix C, and of an encoder that is not ours, each story on one connection.
@Suite struct BlockVectorTests {
    static let appendix = BlockRow.stories(of: "appendix-c")
    static let stories = BlockRow.stories(of: "stories")

    @Test func `The vector files hold what they should`() {
        #expect(Self.appendix.map(\.count) == [1, 1, 3, 3, 3, 3])
        #expect(Self.stories.count == 24)
        #expect(Self.stories.allSatisfy { $0.count == 8 })
    }

    @Test(arguments: appendix + stories) func `A story is decoded as its encoder meant it`(_ rows: [BlockRow]) throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits(), dynamicTableLimit: rows[0].tableLimit)
        for row in rows {
            #expect(try row.decoded(by: &decoder) == row.headBytes)
            #expect(decoder.table.size == row.tableSize)
        }
    }

    @Test(arguments: appendix + stories) func `A story of which only the last block matters is decoded as well`(
        _ rows: [BlockRow]
    ) throws {
        var decoder = HeaderBlockDecoder(limits: MessageLimits(), dynamicTableLimit: rows[0].tableLimit)
        for row in rows.dropLast() {
            try decoder.skip(Block(hexadecimal: row.block).buffer)
            #expect(decoder.table.size == row.tableSize)
        }
        let last = try #require(rows.last)
        #expect(try last.decoded(by: &decoder) == last.headBytes)
    }

    @Test(arguments: stories) func `A damaged block is decoded or refused, and leaves a table within its bounds`(
        _ rows: [BlockRow]
    ) throws {
        var random = SeededGenerator(seed: UInt64(rows[0].head.utf8.count))
        for row in rows {
            let bytes = try Block(hexadecimal: row.block).bytes
            for _ in 0..<15 where !bytes.isEmpty {
                var damaged = bytes
                for _ in 0...random.below(3) { damaged[random.below(damaged.count)] = UInt8(random.below(256)) }
                if random.chance(4) { damaged.removeLast(1 + random.below(damaged.count)) }
                var decoder = HeaderBlockDecoder(limits: MessageLimits(), dynamicTableLimit: row.tableLimit)
                let head = try? decoder.request(Block(damaged).buffer, endsStream: true)
                #expect(decoder.table.size <= row.tableLimit)
                #expect(head?.bytes.readableBytes ?? 0 <= MessageLimits().headerBytes)
            }
        }
    }
}
