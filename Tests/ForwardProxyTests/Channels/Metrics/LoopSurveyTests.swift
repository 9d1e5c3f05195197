import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Questions to event loops", .generousLimit, .timed)
struct LoopSurveyTests {
    @Test("Each answers on its own thread, and the answers are in the order of the loops")
    func ordered() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let loops = Array(group.makeIterator().map { $0 as any EventLoop })
        let answers = await LoopSurvey(clock: SystemClock.shared, limit: .seconds(600)).ask(loops) { index in
            (index, loops[index].inEventLoop)
        }
        #expect(answers.map(\.value?.0) == [0, 1])
        #expect(answers.allSatisfy { $0.value?.1 == true && $0.delay >= .zero })
        try await group.shutdownGracefully()
    }

    @Test("One that does not come to it is not waited for beyond the limit, and its delay is told all the same")
    func stuck() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let gate = DispatchGate()
        let loop = group.next()
        loop.execute { _ = gate.pass() }
        let clock = ManualClock()
        let answers = await LoopSurvey(clock: clock, limit: .zero).ask([loop]) { _ in true }
        #expect(answers.map(\.value) == [nil])
        gate.open()
        try await group.shutdownGracefully()
        await clock.end()
    }

    @Test("Nobody is asked where there is nobody")
    func none() async {
        let answers = await LoopSurvey(clock: SystemClock.shared, limit: .seconds(600)).ask([]) { $0 }
        #expect(answers.isEmpty)
    }
}
