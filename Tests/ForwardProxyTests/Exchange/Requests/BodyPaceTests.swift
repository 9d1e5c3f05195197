import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The least speed of a body")
struct BodyPaceTests {
    private func at(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(second) }

    @Test(
        "is 10,000 bytes in 20 s, however many came before",
        arguments: [
            ([], 0, 20), ([], 20, 0), ([(9, 9_999)], 20, 0), ([(9, 10_000)], 20, 9), ([(9, 1_000_000)], 30, -1),
            ([(9, 9_000), (15, 1_000)], 20, 15), ([(9, 1_000_000), (28, 10_000)], 30, 18),
        ] as [([(Int64, Int)], Int64, Int64)]
    )
    func timeLeft(_ pieces: [(second: Int64, bytes: Int)], _ second: Int64, _ expected: Int64) {
        var pace = BodyPace(start: at(0))
        for piece in pieces { pace.received(piece.bytes, at: at(piece.second)) }
        #expect(pace.timeLeft(at: at(second)) == .seconds(expected))
    }
}
