@testable import CredentialStores
import NIOCore
import Synchronization
import Testing
import TestSupport

@Suite("The gate that requests to etcd pass", .generousLimit, .timed)
struct RequestGateTests {
    @Test("A task that was cancelled does not wait, and has no place any more")
    func cancelled() async throws {
        let gate = RequestGate(limit: 1)
        let (opening, open) = AsyncStream<Void>.makeStream()
        let (entering, enter) = AsyncStream<Void>.makeStream()
        async let first: Void = gate.pass { () throws(EtcdFailure) in
            enter.yield()
            for await _ in opening { break }
        }
        for await _ in entering { break }
        let second = Task { try await gate.pass { () throws(EtcdFailure) in Issue.record("It has passed.") } }
        second.cancel()
        await #expect(throws: EtcdFailure.unavailable(reason: "the task was cancelled")) { try await second.value }
        open.yield()
        try await first
        let third = try await gate.pass { () throws(EtcdFailure) in 3 }
        #expect(third == 3)
    }

    @Test("What is urgent goes before those that wait already")
    func urgent() async throws {
        let gate = RequestGate(limit: 1)
        let order = Recorded()
        let (opening, open) = AsyncStream<Void>.makeStream()
        let (waiting, wait) = AsyncStream<Void>.makeStream()
        let pass = { @Sendable (number: Int) async throws in
            wait.yield()
            try await gate.pass(isUrgent: number == 2) { () throws(EtcdFailure) in
                order.add(number)
                if number == 0 { for await _ in opening { break } }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var started = waiting.makeAsyncIterator()
            for number in 0...2 {
                group.addTask { try await pass(number) }
                _ = await started.next()
                while number == 0 ? order.all.isEmpty : gate.waiterCount < number { await Task.yield() }
            }
            open.yield()
            try await group.waitForAll()
        }
        #expect(order.all == [0, 2, 1])
    }

    private final class Recorded: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    private final class Room: Sendable {
        private let counts = Mutex((inside: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() { counts.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) } }

        func leave() { counts.withLock { $0.inside -= 1 } }
    }

    @Test("Never more are inside than there is room for, and all have their turn")
    func room() async throws {
        let gate = RequestGate(limit: 2)
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await gate.pass { () throws(EtcdFailure) in
                        room.enter()
                        await Task.yield()
                        room.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(room.most == 2)
    }
}
