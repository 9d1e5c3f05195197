import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The backlog of a client")
struct BacklogTests {
    private func at(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(second) }

    @Test(
        "waits since some of it was seen to have been taken, 4 KiB at least, or since it was seen",
        arguments: [
            ([(0, 0), (0, 9000)], nil), ([(10, 0)], 0), ([(0, 0), (10, 0), (10, 0)], 1),
            ([(90_000, 0), (90_000, 5000), (90_000, 5000)], 1), ([(90_000, 0), (90_000, 4000), (90_000, 4095)], 0),
            ([(90_000, 0), (90_000, 4000), (90_000, 4096)], 2), ([(10_000, 9000), (20_000, 9000), (30_000, 9000)], 0),
            ([(10, 0), (0, 10), (10, 10), (10, 10)], 2), ([(10, 0), (0, 10)], nil),
        ] as [([(Int, UInt64)], Int64?)]
    )
    func lastTaken(_ looks: [(unsent: Int, acknowledged: UInt64)], _ second: Int64?) {
        var backlog = Backlog()
        for (second, look) in looks.enumerated() {
            _ = backlog.observe(look.unsent, acknowledged: look.acknowledged, at: at(Int64(second)))
        }
        #expect(backlog.lastTaken == second.map { at($0) })
    }
}
