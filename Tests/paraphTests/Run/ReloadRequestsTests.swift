import AdminServer
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import paraph

@Suite("Requests for a reload", .generousLimit, .timed)
struct ReloadRequestsTests {
    /// Reloads that tell when they begin, end when they are let, and are told apart by their numbers.
    private final class Reloads: Service {
        private let requests: ReloadRequests
        private let count = Mutex(0)
        private let beginnings: AsyncStream<Void>
        private let begins: AsyncStream<Void>.Continuation
        private let permits: AsyncStream<Void>
        private let permit: AsyncStream<Void>.Continuation
        private let shutdowns: AsyncStream<Never>
        private let shutsDown: AsyncStream<Never>.Continuation

        init(_ requests: ReloadRequests) {
            self.requests = requests
            (beginnings, begins) = AsyncStream.makeStream()
            (permits, permit) = AsyncStream.makeStream()
            (shutdowns, shutsDown) = AsyncStream.makeStream()
        }

        /// The reloads that have begun.
        var begun: Int { count.withLock { $0 } }

        func nextBeginning() async {
            for await _ in beginnings.prefix(1) {}
        }

        func shutdown() async {
            for await _ in shutdowns {}
        }

        func letOneEnd() { permit.yield() }

        func run() async {
            await withGracefulShutdownHandler {
                await requests.serve {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    begins.yield()
                    for await _ in permits.prefix(1) {}
                    return Self.result(number)
                }
            } onGracefulShutdown: { [shutsDown] in
                shutsDown.finish()
            }
        }

        static func result(_ number: Int) -> ReloadResult { .refused(reason: "\(number)", mistakes: []) }
    }

    private static func group(_ service: Reloads) -> ServiceGroup {
        ServiceGroup(services: [service], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("Requests that come while one is under way are answered by the next, all of them by the same")
    func common() async throws {
        let requests = ReloadRequests()
        let reloads = Reloads(requests)
        let group = Self.group(reloads)
        let first = Task.immediate { await requests.result() }
        async let ended: Void = group.run()
        await reloads.nextBeginning()
        let others = (0..<5).map { _ in Task.immediate { await requests.result() } }
        requests.note()
        reloads.letOneEnd()
        #expect(await first.value == Reloads.result(1))
        await reloads.nextBeginning()
        reloads.letOneEnd()
        for other in others { #expect(await other.value == Reloads.result(2)) }
        await group.triggerGracefulShutdown()
        try await ended
        #expect(reloads.begun == 2)
        #expect(await requests.result() == .ending)
    }

    @Test("One that nobody waits for is carried out too")
    func noted() async throws {
        let requests = ReloadRequests()
        let reloads = Reloads(requests)
        let group = Self.group(reloads)
        async let ended: Void = group.run()
        for _ in 0..<2 {
            requests.note()
            await reloads.nextBeginning()
            reloads.letOneEnd()
        }
        await group.triggerGracefulShutdown()
        try await ended
        #expect(reloads.begun == 2)
    }

    @Test("A request that waits when the process ends is told so, and the reload under way is finished")
    func ending() async throws {
        let requests = ReloadRequests()
        let reloads = Reloads(requests)
        let group = Self.group(reloads)
        let first = Task.immediate { await requests.result() }
        async let ended: Void = group.run()
        await reloads.nextBeginning()
        let second = Task.immediate { await requests.result() }
        await group.triggerGracefulShutdown()
        await reloads.shutdown()
        reloads.letOneEnd()
        #expect(await first.value == Reloads.result(1))
        #expect(await second.value == .ending)
        try await ended
        #expect(reloads.begun == 1)
    }
}
