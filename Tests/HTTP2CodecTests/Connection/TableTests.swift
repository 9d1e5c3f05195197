import NIOCore
import Testing
import TestSupport

@testable import HTTP2Codec

/// The containers of a connection, beside simple ones that do the same.
@Suite struct TableTests {
    private func stream(_ streamID: HTTP2StreamID) -> HTTP2Stream {
        HTTP2Stream(streamID: streamID, window: 0, receiveWindow: 0, sendWindow: Int(streamID))
    }

    @Test(arguments: [1 as HTTP2StreamID, 32, 64, 1_024], 1...4)
    func `A stream table finds what a dictionary finds`(_ step: HTTP2StreamID, _ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = StreamTable()
        var known: Set<HTTP2StreamID> = []
        for round in 0..<3_000 {
            // Numbers that share their low bits collide.
            let streamID = HTTP2StreamID(random.below(200)) * step * 2 + 1
            #expect((table.place(of: streamID) != nil) == known.contains(streamID))
            if let place = table.place(of: streamID) {
                #expect(table[place].streamID == streamID)
                #expect(table[place].sendWindow == Int(streamID))
                if round % 5 != 0 {
                    table.remove(at: place)
                    known.remove(streamID)
                }
            } else if known.count < 100 {
                let place = table.insert(stream(streamID))
                known.insert(streamID)
                #expect(table[place].streamID == streamID)
            }
            #expect(table.count == known.count)
        }
        #expect(Set(table.places.map { table[$0].streamID }) == known)
        for streamID in known { #expect(table.place(of: streamID) != nil) }
    }

    @Test func `The last streams are remembered, and no more than that`() {
        var recent = RecentStreams(capacity: 4)
        for streamID in 1...10 as ClosedRange<HTTP2StreamID> {
            recent.insert(streamID)
            for earlier in 1...10 as ClosedRange<HTTP2StreamID> {
                #expect(recent.contains(earlier) == (earlier <= streamID && earlier + 4 > streamID))
            }
        }
    }

    @Test func `Turns are served in order, without those that were taken out`() {
        var turns = TurnQueue()
        for streamID in 1...200 as ClosedRange<HTTP2StreamID> { turns.append(streamID) }
        for streamID in 1...70 as ClosedRange<HTTP2StreamID> { #expect(turns.popFirst() == streamID) }
        turns.remove(72)
        turns.append(7)
        #expect(turns.popFirst() == 71)
        #expect(turns.popFirst() == 73)
        for streamID in 74...200 as ClosedRange<HTTP2StreamID> { #expect(turns.popFirst() == streamID) }
        #expect(turns.popFirst() == 7)
        #expect(turns.popFirst() == nil)
        #expect(turns.isEmpty)
    }

    @Test func `Kept bytes come out in order, however they went in`() {
        var random = SeededGenerator(seed: 5)
        var kept = KeptData()
        var expected: [UInt8] = []
        var output = ByteBuffer()
        for _ in 0..<500 {
            let bytes = (0..<1 + random.below(50)).map { _ in UInt8(random.below(256)) }
            kept.append(ByteBuffer(bytes: bytes))
            expected += bytes
            if random.chance(2) { kept.write(random.below(kept.bytes + 1), into: &output) }
            #expect(kept.bytes + output.readableBytes == expected.count)
        }
        kept.write(kept.bytes, into: &output)
        #expect(kept.isEmpty)
        #expect(Array(output.readableBytesView) == expected)
    }

    @Test func `Storage of the output is used again once it has been let go of`() {
        var output = FrameOutput()
        output.buffer.writeString("first")
        var taken: ByteBuffer? = output.take(keepingAtMost: 1_024)
        #expect(output.isEmpty)
        output.buffer.writeString("second")
        // Whoever still holds it must not see it change.
        #expect(taken.map { String(buffer: $0) } == "first")
        taken = nil
        #expect(String(buffer: output.take(keepingAtMost: 0)) == "second")
        #expect(output.buffer.capacity == 0)
        #expect(output.take(keepingAtMost: 0).readableBytes == 0)
    }
}
