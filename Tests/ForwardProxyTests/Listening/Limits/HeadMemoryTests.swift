import Logging
import Settings
import Testing

@testable import ForwardProxy

@Suite("The memory of a head that is not whole")
struct HeadMemoryTests {
    private static let logger = Logger(label: "test")
    private let usages = ClientUsages(clock: EmbeddedClock(), logger: logger)
    private let one: ClientUsage
    private let other: ClientUsage

    init() {
        var limits = ProxyLimits()
        limits.collected = 100_000
        usages.apply(limits)
        (one, other) = (usages.usage(of: .client("one")), usages.usage(of: .client("other")))
    }

    @Test("It is counted anew each time, and given back at the end")
    func holds() {
        var memory = HeadMemory()
        #expect(memory.hold(10_000, for: one) == nil)
        #expect(memory.bytes == 10_000 && one.memory.held == 10_000)
        #expect(memory.hold(6_000, for: one) == nil)
        #expect(memory.bytes == 6_000 && one.memory.held == 6_000)
        memory.release()
        #expect(memory.bytes == 0 && one.memory.held == 0)
    }

    @Test("It is one client's at a time")
    func moves() {
        var memory = HeadMemory()
        #expect(memory.hold(10_000, for: one) == nil)
        #expect(memory.isOf(one) && !memory.isOf(other))
        #expect(memory.hold(10_000, for: other) == nil)
        #expect(memory.isOf(other) && !memory.isOf(one))
        #expect(one.memory.held == 0 && other.memory.held == 10_000)
        memory.release()
    }

    @Test("What the client may not have besides is told, and what it has stays counted")
    func refuses() {
        var memory = HeadMemory()
        #expect(memory.hold(10_000, for: one) == nil)
        #expect(memory.hold(200_000, for: one) == 190_000)
        #expect(memory.bytes == 10_000 && one.memory.held == 10_000)
        memory.release()
    }
}
