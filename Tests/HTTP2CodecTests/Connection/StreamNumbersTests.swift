import Testing

@testable import HTTP2Codec

@Suite struct StreamNumbersTests {
    @Test func `Numbers are odd, one after the other, up to the last`() {
        var numbers = StreamNumbers()
        #expect(numbers.unreserved == 0x4000_0000)
        #expect([numbers.reserve(), numbers.reserve(), numbers.reserve()] == [1, 3, 5])
        #expect(numbers.unreserved == 0x3FFF_FFFD)
        numbers = StreamNumbers(next: 0x7FFF_FFFF)
        #expect(numbers.unreserved == 1)
        #expect(numbers.reserve() == .last)
        #expect(numbers.unreserved == 0)
    }

    @Test func `A stream is idle until it or a later one is used`() {
        var numbers = StreamNumbers()
        #expect(numbers.isIdle(1))
        numbers.use(5)
        #expect(numbers.highest == 5)
        #expect(!numbers.isIdle(1) && !numbers.isIdle(5))
        #expect(numbers.isIdle(7))
        // One of the server, which opens none.
        #expect(numbers.isIdle(2))
    }

    @Test func `The last streams that were closed are known by how that was`() {
        var numbers = StreamNumbers()
        numbers.noteReset(1)
        numbers.noteEnd(3)
        #expect(numbers.wasReset(1) && !numbers.hasEnded(1))
        #expect(numbers.hasEnded(3) && !numbers.wasReset(3))
        for streamID in 0..<32 as Range<HTTP2StreamID> { numbers.noteEnd(5 + 2 * streamID) }
        #expect(!numbers.hasEnded(3))
        #expect(numbers.wasReset(1))
    }
}
