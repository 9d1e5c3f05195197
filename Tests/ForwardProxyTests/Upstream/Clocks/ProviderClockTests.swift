import Credentials
import NIOCore
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("The clock that requests to an API go by", .generousLimit, .timed)
struct ProviderClockTests {
    private let machine = ManualClock()
    private let clock: ProviderClock

    init() { clock = ProviderClock(machine: machine) }

    private var machineTime: UInt64 { UInt64(machine.coarseWallSeconds) }

    @Test("Timestamps are this machine's time and the offset that was learnt")
    func addsOffset() {
        #expect(clock.timestamp(.wall) == machineTime)
        #expect(clock.learn(offset: 1_000_000))
        #expect(clock.currentOffset == 1_000_000)
        #expect(clock.timestamp(.wall) == machineTime + 1_000_000)
        #expect(clock.learn(offset: -1_000_000))
        #expect(clock.timestamp(.wall) == machineTime - 1_000_000)
        // Before 1970 there are none.
        #expect(clock.learn(offset: .min / 2))
        #expect(clock.timestamp(.wall) == 0)
    }

    @Test("An offset that is the same but for rounding changes nothing")
    func toleratesRounding() {
        #expect(clock.learn(offset: 100))
        #expect(!clock.learn(offset: 100))
        #expect(!clock.learn(offset: 101))
        #expect(clock.learn(offset: 99))
    }

    @Test("Monotonic timestamps never repeat or go back, whichever threads ask")
    func isMonotonic() async {
        let askers = 8
        let count = 1_000
        let sequences = await withTaskGroup(of: [UInt64].self) { tasks in
            for _ in 0..<askers {
                tasks.addTask { [clock] in (0..<count).map { _ in clock.timestamp(.monotonic) } }
            }
            return await tasks.reduce(into: [[UInt64]]()) { $0.append($1) }
        }
        for sequence in sequences {
            #expect(zip(sequence, sequence.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(Set(sequences.joined()).count == askers * count)
    }

    @Test("A burst that the provider refuses for being ahead of its clock goes on from there")
    func takesBackBurst() {
        for _ in 0..<1_000 { _ = clock.timestamp(.monotonic) }
        #expect(clock.timestamp(.monotonic) == machineTime + 1_000)
        // The provider's clock is this machine's.
        #expect(clock.learn(offset: 0))
        #expect(clock.timestamp(.monotonic) == machineTime + 1)
    }

    @Test("A clock that is a little back does not take monotonic timestamps back")
    func staysAhead() {
        let first = clock.timestamp(.monotonic)
        #expect(clock.learn(offset: -100))
        #expect(clock.timestamp(.monotonic) > first)
    }

    @Test("Monotonic timestamps that the provider was bound to refuse are taken back")
    func takesBackRefused() {
        let first = clock.timestamp(.monotonic)
        #expect(clock.learn(offset: -1_000_000))
        let second = clock.timestamp(.monotonic)
        #expect(second < first - 900_000)
        #expect(clock.timestamp(.monotonic) > second)
        // The same in the other direction.
        #expect(clock.learn(offset: 0))
        #expect(clock.timestamp(.monotonic) >= first)
    }

    @Test("An offset that was refused is not learnt again for a minute")
    func forgetsRefutation() async {
        #expect(clock.learn(offset: 500))
        #expect(clock.unlearn(offset: 500, before: 0))
        #expect(clock.currentOffset == 0)
        await machine.advance(by: .seconds(59))
        #expect(!clock.learn(offset: 509))
        #expect(clock.learn(offset: 510))
        #expect(clock.unlearn(offset: 510, before: 0))
        await machine.advance(by: .seconds(60))
        #expect(clock.learn(offset: 510))
    }
}
