import Synchronization
import TestSupport
import Testing

@testable import AdminServer

@Suite("Verifications at once", .generousLimit, .timed)
struct VerificationGateTests {
    /// A verification that lasts until it is let go.
    private final class Slow: Sendable {
        let started: AsyncStream<Int>
        private let start: AsyncStream<Int>.Continuation
        private let gates: [(stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]

        init(count: Int) {
            (started, start) = AsyncStream.makeStream()
            gates = (0..<count).map { _ in AsyncStream.makeStream() }
        }

        /// The number of those that have started.
        var count: Int { counted.withLock { $0 } }
        private let counted = Mutex(0)

        func run(_ number: Int) async -> Int {
            counted.withLock { $0 += 1 }
            start.yield(number)
            for await _ in gates[number].stream {}
            return number
        }

        func finish(_ number: Int) { gates[number].continuation.finish() }
    }

    @Test("So many run as may, others wait for their turn, and more are turned away")
    func bounds() async throws {
        let gate = VerificationGate(limit: 2, waiterLimit: 1)
        let slow = Slow(count: 4)
        try await withThrowingTaskGroup(of: Int.self) { group in
            var started = slow.started.makeAsyncIterator()
            for number in 0..<2 { group.addTask { try await gate.run { await slow.run(number) } } }
            let first = [await started.next(), await started.next()]
            #expect(Set(first) == [0, 1])
            group.addTask { try await gate.run { await slow.run(2) } }
            while gate.waitingCount < 1, slow.count < 3, !Task.isCancelled { await Task.yield() }
            #expect(slow.count == 2)
            await #expect(throws: AdminRefusal.tooManyVerifications) { try await gate.run { await slow.run(3) } }

            slow.finish(1)
            #expect(try await group.next() == 1)
            #expect(await started.next() == 2)
            slow.finish(0)
            slow.finish(2)
            var ended: Set<Int> = []
            for try await number in group { ended.insert(number) }
            #expect(ended == [0, 2])
        }
        slow.finish(3)
        #expect(try await gate.run { await slow.run(3) } == 3)
    }
}
