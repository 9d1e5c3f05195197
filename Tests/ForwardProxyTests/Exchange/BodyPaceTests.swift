import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The least speed of a body")
struct BodyPaceTests {
    @Test(
        "is 20 s, and one more for each 500 bytes",
        arguments: [(0, 0, 20), (0, 20, 0), (499, 20, 0), (500, 20, 1), (10_000, 30, 10), (10_000, 41, -1)]
            as [(Int, Int64, Int64)]
    )
    func timeLeft(_ bytes: Int, _ second: Int64, _ expected: Int64) {
        var pace = BodyPace(start: .uptimeNanoseconds(0))
        pace.received(bytes)
        let left = pace.timeLeft(at: .uptimeNanoseconds(0) + .seconds(second))
        #expect(left.nanoseconds / 1_000_000_000 == expected)
    }
}
