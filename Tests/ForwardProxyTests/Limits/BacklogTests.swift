import NIOCore
import Testing

@testable import ForwardProxy

@Suite("What a client has not taken")
struct BacklogTests {
    private func at(_ second: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(second) }

    @Test(
        "waits since some of it was taken, or since it was seen; that there is more of it is nothing that was taken",
        arguments: [
            ([0, 0], nil), ([10], 0), ([0, 10, 10, 10], 1), ([90_000, 80_000, 80_000], 1),
            ([90_000, 88_000, 86_000], 0), ([90_000, 88_000, 85_000], 2), ([10_000, 20_000, 30_000], 0),
            ([10_000, 30_000, 26_000, 25_000], 3),
            ([10_000, 0, 10_000, 10_000], 2), ([10_000, 0], nil),
        ] as [([Int], Int64?)]
    )
    func lastTaken(_ octets: [Int], _ second: Int64?) {
        var backlog = Backlog()
        for (second, octets) in octets.enumerated() { _ = backlog.observe(octets, at: at(Int64(second))) }
        #expect(backlog.lastTaken == second.map { at($0) })
    }
}
