import NIOCore
import Testing

@testable import ForwardProxy

@Suite struct SearchPauseTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test func nothingHoldsBeforeASearch() {
        #expect(!SearchPause().holds(at: Self.start))
    }

    @Test func holdsAfterASearchThatFoundNothing() {
        var pause = SearchPause()
        pause.searched(found: false, at: Self.start)
        #expect(pause.holds(at: Self.start + .milliseconds(19)))
        #expect(!pause.holds(at: Self.start + .milliseconds(20)))
    }

    @Test func doesNotHoldAfterASearchThatFoundSomething() {
        var pause = SearchPause()
        pause.searched(found: false, at: Self.start)
        pause.searched(found: true, at: Self.start)
        #expect(!pause.holds(at: Self.start))
    }
}
