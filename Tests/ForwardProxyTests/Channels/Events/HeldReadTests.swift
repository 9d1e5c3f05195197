import Testing

@testable import ForwardProxy

@Suite("The read that a channel has to wait for")
struct HeldReadTests {
    @Test("A read is made at once where there is room, and nothing is made up for")
    func hasRoom() {
        var read = HeldRead()
        #expect(read.requested(hasRoom: true) == .read)
        #expect(!read.isHeld)
        #expect(read.released() == .hold)
    }

    @Test("A read that there is no room for is made up for once, however often it is asked for")
    func waits() {
        var read = HeldRead()
        for _ in 1...2 { #expect(read.requested(hasRoom: false) == .hold) }
        #expect(read.isHeld)
        #expect(read.released() == .read)
        #expect(!read.isHeld)
        #expect(read.released() == .hold)
    }
}
