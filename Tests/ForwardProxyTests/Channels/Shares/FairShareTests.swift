import Testing

@testable import ForwardProxy

@Suite("Fair shares")
struct FairShareTests {
    /// Returns what each client ends up with where they take one at a time, in turn, for as long as they may.
    private func shares(of capacity: Int, held: [Int], mostBesideOthers: Int? = nil) -> [Int] {
        let rule = FairShare(capacity: capacity, mostBesideOthers: mostBesideOthers)
        var held = held
        var hasTaken = true
        while hasTaken {
            hasTaken = false
            for client in held.indices where rule.permits(1, to: held[client], of: held.reduce(0, +)) {
                held[client] += 1
                hasTaken = true
            }
        }
        return held
    }

    @Test(
        "One alone may have nearly all, several as much as each other, and newcomers something",
        arguments: [
            (90, [0], [80]), (170, [0, 0], [80, 80]), (90, [80, 0], [80, 8]), (90, [80, 8, 0], [80, 8, 1]),
            (90, [90, 0], [90, 0]), (8, [0], [7]), (1, [0], [0]), (0, [0], [0]),
        ]
    )
    func shares(_ capacity: Int, _ held: [Int], _ expected: [Int]) {
        #expect(shares(of: capacity, held: held) == expected)
    }

    @Test("Nothing is had beyond a bound that holds beside others, and all of it alone")
    func bound() {
        #expect(shares(of: 90, held: [0], mostBesideOthers: 22) == [80])
        #expect(shares(of: 90, held: [0, 0], mostBesideOthers: 22) == [22, 22])
        #expect(shares(of: 90, held: [40, 0], mostBesideOthers: 22) == [41, 22])
    }

    @Test("As much at once is had as is free, and no more")
    func amounts() {
        let rule = FairShare(capacity: 100, mostBesideOthers: nil)
        #expect(rule.permits(88, to: 0, of: 0))
        #expect(!rule.permits(89, to: 0, of: 0))
        #expect(!rule.permits(101, to: 0, of: 0))
        #expect(rule.permits(9, to: 0, of: 88))
        #expect(!rule.permits(12, to: 0, of: 88))
    }
}
