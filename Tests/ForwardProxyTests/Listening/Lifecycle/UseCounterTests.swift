import Synchronization
import Testing

@testable import ForwardProxy

@Suite("A thing that several use")
struct UseCounterTests {
    private final class Calls: Sendable {
        private let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func add() { calls.withLock { $0 += 1 } }
    }

    @Test("is let go of when the last of them has let go, and once", arguments: [1, 2, 5])
    func releases(count: Int) {
        let calls = Calls()
        let counter = UseCounter(count: count) { calls.add() }
        for _ in 1..<count {
            counter.release()
            #expect(calls.count == 0)
        }
        counter.release()
        #expect(calls.count == 1)
        counter.release()
        #expect(calls.count == 1)
    }

    @Test("is let go of once by users that let go at the same time")
    func threads() async {
        let calls = Calls()
        let counter = UseCounter(count: 1000) { calls.add() }
        await withDiscardingTaskGroup { group in
            for _ in 0..<1000 { group.addTask { counter.release() } }
        }
        #expect(calls.count == 1)
    }
}
