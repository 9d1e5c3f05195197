@testable import CredentialStores
import NIOCore
import Synchronization
import Testing
import TestSupport

@Suite("The gate that requests to etcd pass", .generousLimit, .timed)
struct RequestGateTests {
    @Test("A task that was cancelled does not wait, and has no place any more")
    func cancelled() async throws {
        let gate = RequestGate(limit: 1, timeout: .hours(1))
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

    @Test("A task waits no longer than for its time, and has no place any more")
    func expired() async throws {
        let gate = RequestGate(limit: 1, timeout: .milliseconds(1))
        let failure = EtcdFailure.unavailable(
            reason: "too many requests are under way, and none has ended in time"
        )
        try await gate.pass { () async throws(EtcdFailure) in
            _ = await #expect(throws: failure) {
                try await gate.pass { () throws(EtcdFailure) in Issue.record("It has passed.") }
            }
        }
        let next = try await gate.pass { () throws(EtcdFailure) in 1 }
        #expect(next == 1)
    }

    private final class Room: Sendable {
        private let counts = Mutex((inside: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() { counts.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) } }

        func leave() { counts.withLock { $0.inside -= 1 } }
    }

    @Test("Never more are inside than there is room for, and all have their turn")
    func room() async throws {
        let gate = RequestGate(limit: 2, timeout: .hours(1))
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
