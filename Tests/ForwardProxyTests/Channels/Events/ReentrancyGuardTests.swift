import Testing

@testable import ForwardProxy

@Suite("The guard of a loop")
struct ReentrancyGuardTests {
    @Test("A loop is not begun from within itself, and is begun again when it has ended")
    func enters() {
        var loop = ReentrancyGuard()
        #expect(!loop.isEntered)
        #expect(loop.enter() == true)
        #expect(loop.isEntered)
        #expect(loop.enter() == false)
        loop.leave()
        #expect(!loop.isEntered)
        #expect(loop.enter() == true)
    }
}
