import TestSupport
import Testing

@testable import paraph

@Suite("Work that blocks", .generousLimit, .timed)
struct BlockingWorkTests {
    private struct Failure: Error, Equatable {}

    @Test("Its result is returned, and its error thrown")
    func outcome() async {
        let sum = await BlockingWork.run { 1 + 2 }
        #expect(sum == 3)
        await #expect(throws: Failure()) {
            _ = try await BlockingWork.run { () throws(Failure) -> Int in throw Failure() }
        }
    }

    @Test("It is done for a task that is cancelled, too")
    func cancelled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await BlockingWork.run { true }
        }
        let isDone = await task.value
        #expect(isDone)
    }
}
