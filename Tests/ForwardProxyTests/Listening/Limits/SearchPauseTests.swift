import Logging
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The pause after a search that found nothing")
struct SearchPauseTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private static let logger = Logger(label: "test")
    private let usages = ClientUsages(clock: EmbeddedClock(), logger: logger)

    @Test("It lasts for 20 ms, and there is none before the first search")
    func length() {
        var pause = SearchPause()
        #expect(!pause.holds(at: Self.start))
        pause.searched(found: false, at: Self.start)
        #expect(pause.holds(at: Self.start + .milliseconds(19)))
        #expect(!pause.holds(at: Self.start + .milliseconds(20)))
    }

    @Test("There is none after a search that found something")
    func success() {
        var pause = SearchPause()
        pause.searched(found: false, at: Self.start)
        pause.searched(found: true, at: Self.start)
        #expect(!pause.holds(at: Self.start))
    }

    @Test("It is for the client that was searched for alone")
    func clients() {
        let (one, other) = (usages.usage(of: .client("one")), usages.usage(of: .client("other")))
        var pause = SearchPause()
        pause.searched(for: one, found: false, at: Self.start)
        #expect(pause.holds(for: one, at: Self.start))
        #expect(!pause.holds(for: other, at: Self.start))
        #expect(!pause.holds(at: Self.start))
    }
}
