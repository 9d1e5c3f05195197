import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The pace at which signatures are compared")
struct ComparisonPaceTests {
    @Test("One at a time, and then none for four times as long")
    func paces() {
        func second(_ second: UInt64) -> NIODeadline { .uptimeNanoseconds(second * 1_000_000_000) }
        var pace = ComparisonPace()
        let (first, beside) = (pace.begin(at: second(10)), pace.begin(at: second(11)))
        pace.end(at: second(12))
        let (early, later) = (pace.begin(at: second(19)), pace.begin(at: second(20)))
        #expect((first, beside, early, later) == (true, false, false, true))
    }
}
