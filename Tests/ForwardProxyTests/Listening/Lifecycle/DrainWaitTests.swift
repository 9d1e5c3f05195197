import NIOCore
import NIOPosix
import Testing

@testable import ForwardProxy

@Suite("The wait for the requests in flight at the end", .timeLimit(.minutes(1)))
struct DrainWaitTests {
    private let wait = DrainWait()
    private let clock = ManualClock()
    private let connections = ConnectionCounter {}
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func waitForEnd() async -> DrainWait.End {
        await wait.untilEnd(of: connections, within: .seconds(10), clock: clock, on: loop)
    }

    @Test("It ends with the last connection")
    func drains() async {
        _ = connections.arrive(limit: 2)
        async let end = waitForEnd()
        connections.leave()
        #expect(await end == .drained)
    }

    @Test("It takes no longer than it may")
    func timeIsOver() async throws {
        _ = connections.arrive(limit: 2)
        async let end = waitForEnd()
        try await clock.expire(.seconds(10))
        #expect(await end == .timeIsOver)
        connections.leave()
    }

    @Test("It is cut short, even before it begins")
    func cutShort() async {
        _ = connections.arrive(limit: 2)
        wait.cutShort()
        #expect(await waitForEnd() == .cutShort)
        connections.leave()
    }
}
