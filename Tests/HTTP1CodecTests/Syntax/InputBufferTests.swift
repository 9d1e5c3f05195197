import NIOCore
import Testing

@testable import HTTP1Codec

@Suite struct InputBufferTests {
    @Test func `Pieces are gathered in order`() {
        var input = InputBuffer()
        for piece in ["ab", "", "c", "def"] { input.append(ByteBuffer(string: piece)) }
        #expect(input.count == 6)
        #expect(String(buffer: input.take(4)) == "abcd")
        input.append(ByteBuffer(string: "g"))
        #expect(String(buffer: input.takeAll()) == "efg")
        #expect(input.count == 0)
    }

    @Test func `A slice that was taken does not change when more is appended`() {
        var input = InputBuffer()
        input.append(ByteBuffer(string: "ab"))
        input.append(ByteBuffer(string: "cd"))
        let slice = input.take(3)
        input.append(ByteBuffer(string: "efgh"))
        #expect(String(buffer: slice) == "abc")
        #expect(String(buffer: input.takeAll()) == "defgh")
    }

    @Test func `A connection that always has a rest does not grow its buffer`() {
        var input = InputBuffer()
        let piece = ByteBuffer(repeating: 0x61, count: 1_000)
        input.append(ByteBuffer(string: "x"))
        for _ in 0..<1_000 {
            input.append(piece)
            input.skip(1_000)
            #expect(input.count == 1)
        }
        #expect(input.bytes.storageCapacity <= 8_192)
    }

    @Test func `Bytes that come one at a time are moved a few times only`() {
        var input = InputBuffer()
        var moves = 0
        var capacity = 0
        for _ in 0..<60_000 {
            input.append(ByteBuffer(repeating: 0x61, count: 1))
            if input.bytes.storageCapacity != capacity { moves += 1 }
            capacity = input.bytes.storageCapacity
        }
        #expect(input.count == 60_000)
        #expect(moves <= 20)
    }
}
